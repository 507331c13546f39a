/* SPDX-License-Identifier: Apache-2.0 */
/* std::cin, std::cout and the other standard streams of C++. Several threads may use them at the same time, so what
 * they do to these objects is no race, unless the program has said std::ios::sync_with_stdio(false). */
#ifndef ENGINE_STANDARD_STREAMS_H
#define ENGINE_STANDARD_STREAMS_H

#include <stdbool.h>
#include <stdint.h>

extern bool streams_are_synchronized;

void streams_find(void); /* once; the program has been loaded */
bool streams_have(uint64_t address);

#endif
