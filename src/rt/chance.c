/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers: every execution sees the same ones. */
#include "base/hash.h"
#include "rt/hook.h"
#include "rt/reset.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

static bool drawn; /* from the C library's generators, whose state is not ours to save */
static struct engine_uses uses;
static uint64_t
    counts[CLOCKS_THREADS_MAX]; /* of words given out: what a thread gets does not depend on others */

void chance_reset(void)
{
    real.memset(counts, 0, sizeof counts);
    uses = (struct engine_uses){0};
    if (!drawn)
        return;
    drawn = false;
    NEXT(srandom)(1);
    NEXT(seed48)((unsigned short[3]){0, 0, 0});
}

static void share_generators(const void *pc)
{
    engine_tell_apart();
    engine_order_use(&uses, "random numbers of one generator", pc);
    engine_note_use(&uses);
}

/* Marks the generators as used and goes on to them. */
#define DRAWS(type, name, parameters, arguments) \
    EXPORT type name parameters                  \
    {                                            \
        drawn = true;                            \
        if (engine_active)                       \
            share_generators(CALLER);            \
        return NEXT(name) arguments;             \
    }

DRAWS(int, rand, (void), ())
DRAWS(long, random, (void), ())
DRAWS(double, drand48, (void), ())
DRAWS(long, lrand48, (void), ())
DRAWS(long, mrand48, (void), ())
DRAWS(void, srand, (unsigned seed), (seed))
DRAWS(void, srandom, (unsigned seed), (seed))
DRAWS(void, srand48, (long seed), (seed))
DRAWS(unsigned short *, seed48, (unsigned short seed[3]), (seed))
DRAWS(void, lcong48, (unsigned short parameters[7]), (parameters))

static uint64_t draw(void)
{
    engine_tell_apart();
    uint32_t self = engine_current();
    return hash_word((++counts[self] << 8 | self) * 0x9e3779b97f4a7c15u);
}

static void fill(void *to, size_t size, const void *pc)
{
    engine_plain((uint64_t)to, size, true, pc);
    for (size_t k = 0; k < size; k++)
        ((char *)to)[k] = (char)draw();
}

EXPORT ssize_t getrandom(void *to, size_t size, unsigned flags)
{
    if (!engine_active)
        return NEXT(getrandom)(to, size, flags);
    fill(to, size, CALLER);
    return (ssize_t)size;
}

EXPORT int getentropy(void *to, size_t size)
{
    enum { MOST = 256 };
    if (!engine_active)
        return NEXT(getentropy)(to, size);
    if (size > MOST) {
        errno = EIO;
        return -1;
    }
    fill(to, size, CALLER);
    return 0;
}

EXPORT uint32_t arc4random(void)
{
    return engine_active ? (uint32_t)draw() : NEXT(arc4random)();
}

EXPORT void arc4random_buf(void *to, size_t size)
{
    if (engine_active)
        fill(to, size, CALLER);
    else
        NEXT(arc4random_buf)(to, size);
}

EXPORT uint32_t arc4random_uniform(uint32_t bound)
{
    if (!engine_active)
        return NEXT(arc4random_uniform)(bound);
    return bound ? (uint32_t)(draw() % bound) : 0;
}

/* std::random_device asks the processor directly. */
unsigned chance_random_device(void *device) __asm__("_ZNSt13random_device9_M_getvalEv");

EXPORT unsigned chance_random_device(void *device)
{
    if (engine_active)
        return (unsigned)draw();
    static __typeof__(&chance_random_device) next;
    if (!next)
        next = (__typeof__(next))hook_find_next("_ZNSt13random_device9_M_getvalEv");
    return next(device);
}
