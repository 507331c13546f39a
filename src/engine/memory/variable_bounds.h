/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds of the program's variables in functions of libraries: what these access lies inside of one variable, or in none.
 * Compilers check only what the program itself does. */
#ifndef ENGINE_VARIABLE_BOUNDS_H
#define ENGINE_VARIABLE_BOUNDS_H

#include "engine/engine_state.h"
#include "engine/memory/frames.h"

/* Before the first execution. */
void variable_bounds_prepare(const struct variables *all);

/* Where the static variables are that are known, and those of each thread, which lie before its thread pointer. */
extern struct variable_bounds {
    uint64_t from, size, thread_size;
} variable_bounds ENGINE_HIDDEN;

static inline uint64_t variable_bounds_before_thread(uint64_t address)
{
    return (uint64_t)__builtin_thread_pointer() - address;
}

/* Fails when it crosses an end of a variable. */
void variable_bounds_search(uint64_t address, size_t size, bool writes, const void *pc);

static inline void variable_bounds_check(uint64_t address, size_t size, bool writes, const void *pc)
{
    if (__builtin_expect(address - variable_bounds.from < variable_bounds.size, false) ||
        fiber_is_near_stacks(address) ||
        variable_bounds_before_thread(address) - 1 < variable_bounds.thread_size)
        variable_bounds_search(address, size, writes, pc);
}

#endif
