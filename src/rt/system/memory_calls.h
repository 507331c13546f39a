/* SPDX-License-Identifier: Apache-2.0 */
/* The program's heap, for the functions that give memory to the program. */
#ifndef RT_MEMORY_CALLS_H
#define RT_MEMORY_CALLS_H

#include "rt/hook.h"

/* Is what this caller allocates part of an execution? Else it belongs to the C library. */
bool memory_is_programs(const void *caller);

void *memory_allocate(size_t size, size_t alignment, const void *pc); /* null: there is none, with errno */
void memory_release(void *p, const void *pc);                         /* heap_contains(p) */
void memory_release_other(void *p, const void *pc); /* a block of the C library, or none at all */

#endif
