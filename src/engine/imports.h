/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ENGINE_IMPORTS_H
#define ENGINE_IMPORTS_H

#include <stdbool.h>

/* Once, before the program's memory is copied. */
void imports_redirect(void);

/* Is this one of the instructions that keep registers on the way into the runtime? */
bool imports_is_watching(const void *pc);
/* Does the program call nothing but what compilers insert, and what starts, joins and ends threads? Known after that. */
extern bool imports_are_few;

#endif
