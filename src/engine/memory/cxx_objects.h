/* SPDX-License-Identifier: Apache-2.0 */
/* Objects of the C++ library in the program's memory that several threads may use at the same time:
 * - std::cin, std::cout and the other standard streams, unless the program has said std::ios::sync_with_stdio(false);
 * - what locales keep to be quicker, which the library makes on demand and publishes in its own way. */
#ifndef ENGINE_CXX_OBJECTS_H
#define ENGINE_CXX_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern bool cxx_objects_synchronized; /* the streams */

void cxx_objects_find(void);                         /* once; the program has been loaded */
void cxx_objects_add(uint64_t address, size_t size); /* something of a locale, in this execution */
void cxx_objects_reset(bool synchronized);           /* before each execution */

bool cxx_objects_have(uint64_t address);
/* Is no access there a race? */
bool cxx_objects_are_for_all(uint64_t address);

#endif
