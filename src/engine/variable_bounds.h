/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds of the program's variables in functions of libraries: what these access lies inside of one variable, or in none. Nobody
 * else checks that, as compilers check what the program itself does. */
#ifndef ENGINE_VARIABLE_BOUNDS_H
#define ENGINE_VARIABLE_BOUNDS_H

#include "engine/engine_state.h"
#include "engine/frames.h"

/* Before the first execution. */
void variable_bounds_prepare(const struct variables *all);

/* Addresses of static variables that are known. */
extern struct variable_bounds {
    uint64_t from, size;
} variable_bounds ENGINE_HIDDEN;

/* Fails when it crosses an end of a variable. */
void variable_bounds_search(uint64_t address, size_t size, bool writes, const void *pc);

static inline void variable_bounds_check(uint64_t address, size_t size, bool writes, const void *pc)
{
    if (__builtin_expect(address - variable_bounds.from < variable_bounds.size, false) ||
        fiber_is_near_stacks(address))
        variable_bounds_search(address, size, writes, pc);
}

#endif
