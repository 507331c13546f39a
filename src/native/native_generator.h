/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers of one thread (xoshiro256++), and a choice among weights in constant time (alias table). */
#ifndef NATIVE_GENERATOR_H
#define NATIVE_GENERATOR_H

#include "native/stress_shared.h"

struct native_generator {
    uint64_t state[4];
};

void native_seed(struct native_generator *g, uint64_t seed, uint64_t round, uint64_t thread);

static inline uint64_t native_rotate(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static inline uint64_t native_next(struct native_generator *g)
{
    uint64_t *s = g->state, result = native_rotate(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = native_rotate(s[3], 45);
    return result;
}

/* Below `ways`, which is not 0. */
static inline uint32_t native_below(struct native_generator *g, uint32_t ways)
{
    return (uint32_t)((native_next(g) >> 32) * ways >> 32);
}

/* Column i is taken with probability limit / 2^32, its alias otherwise. */
struct native_alias {
    uint32_t count; /* 0: all weights are 0 */
    uint32_t limit[STRESS_OPERATIONS_MAX];
    uint16_t item[STRESS_OPERATIONS_MAX], alias[STRESS_OPERATIONS_MAX];
};

void native_make_alias(struct native_alias *a, const uint16_t *weights, uint32_t count);

static inline uint32_t native_draw(const struct native_alias *a, struct native_generator *g)
{
    uint64_t r = native_next(g);
    uint32_t column = (uint32_t)((r >> 32) * a->count >> 32);
    return (uint32_t)r < a->limit[column] ? a->item[column] : a->alias[column];
}

#endif
