/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers of one execution (splitmix64). No libc generator: the program under test may use those. */
#ifndef EXPLORE_PRNG_H
#define EXPLORE_PRNG_H

#include <stdint.h>

struct prng {
    uint64_t state;
};

static inline uint64_t prng_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* Mixed twice: otherwise one execution could repeat the stream of its neighbour, a step later. */
static inline struct prng prng_start(uint64_t seed, uint64_t execution)
{
    uint64_t stream = prng_mix(seed + 0x9e3779b97f4a7c15u);
    return (struct prng){prng_mix(stream + execution)};
}

static inline uint64_t prng_next(struct prng *p)
{
    return prng_mix(p->state += 0x9e3779b97f4a7c15u);
}

/* 0 .. limit - 1 for limit >= 1; the bias is below limit / 2^64. */
static inline uint32_t prng_below(struct prng *p, uint32_t limit)
{
    return (uint32_t)(((unsigned __int128)prng_next(p) * limit) >> 64);
}

#endif
