/* SPDX-License-Identifier: Apache-2.0 */
/* Clock vectors: one lane for each thread, of which the first `width` are in use. Private to clocks.c. */
#ifndef ENGINE_CLOCKS_VECTOR_H
#define ENGINE_CLOCKS_VECTOR_H

#include "engine/race/clocks.h"

/* Four lanes at a time; signed, because that is the comparison every x86 and ARM has. */
typedef int32_t lanes __attribute__((vector_size(16)));
enum { LANES = 4 };

union vector {
    int32_t lane[CLOCKS_THREADS_MAX];
    lanes group[CLOCKS_THREADS_MAX / LANES];
};

static inline lanes lanes_max(lanes a, lanes b)
{
    lanes greater = a > b;
    return (a & greater) | (b & ~greater);
}

/* Is some lane of a comparison's result true? */
static inline bool lanes_any(lanes a)
{
#if defined(__SSE2__)
    typedef float floats __attribute__((vector_size(16)));
    return __builtin_ia32_movmskps((floats)a) != 0;
#else
    uint64_t halves[2];
    __builtin_memcpy(halves, &a, sizeof a);
    return (halves[0] | halves[1]) != 0;
#endif
}

/* All bits of one thread's lane. */
static inline lanes lanes_only(uint32_t thread)
{
    static const lanes masks[LANES] = {{-1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, -1, 0}, {0, 0, 0, -1}};
    return masks[thread];
}

/* The first group, mostly the only one, stands apart: compilers make a call of memcpy out of the loop. */
static inline void vector_copy(union vector *into, const union vector *from, uint32_t width)
{
    into->group[0] = from->group[0];
    for (uint32_t i = 1; i < width / LANES; i++)
        into->group[i] = from->group[i];
}

static inline void vector_join(union vector *into, const union vector *from, uint32_t width)
{
    into->group[0] = lanes_max(into->group[0], from->group[0]);
    for (uint32_t i = 1; i < width / LANES; i++)
        into->group[i] = lanes_max(into->group[i], from->group[i]);
}

static inline void vector_clear(union vector *v, uint32_t from, uint32_t to)
{
    for (uint32_t i = from / LANES; i < to / LANES; i++)
        v->group[i] = (lanes){0};
}

#endif
