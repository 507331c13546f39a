/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers: every execution sees the same ones. */
#include "base/hash.h"
#include "rt/system/random_numbers.h"
#include "rt/hook.h"
#include "rt/reset.h"

#include <errno.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* What a thread gets depends on nothing but its number and what it has asked for before: neither on other threads nor on the
 * schedule. The main thread has the numbers that the C library would give it. */
static struct chance {
    uint64_t words;          /* given out by the system's own sources */
    bool seeded, seeded48;   /* the generators below are ready */
    struct random_data data; /* of rand and random */
    char *state, own_state[128];
    struct drand48_data data48; /* of drand48 and so on */
    unsigned short last48[3];   /* what seed48 returns */
} chances[CLOCKS_THREADS_MAX];
static uint32_t used; /* threads with a number below have got something */

void chance_reset(void)
{
    real.memset(chances, 0, used * sizeof *chances);
    used = 0;
}

static struct chance *chance(void)
{
    uint32_t self = engine_current();
    engine_distinguish_threads();
    if (self >= used)
        used = self + 1;
    return &chances[self];
}

static void seed(struct chance *c, unsigned with)
{
    c->data = (struct random_data){0};
    c->state = c->own_state;
    initstate_r(with + (unsigned)(c - chances) * 7919, c->own_state, sizeof c->own_state, &c->data);
    c->seeded = true;
}

static struct chance *chance_seeded(void)
{
    struct chance *c = chance();
    if (!c->seeded)
        seed(c, 1);
    return c;
}

static long draw_random(void)
{
    int32_t number;
    random_r(&chance_seeded()->data, &number);
    return number;
}

static struct chance *chance_seeded48(void)
{
    struct chance *c = chance();
    if (!c->seeded48) /* all zero is how the C library begins */
        c->data48.__x[0] = (unsigned short)(c - chances);
    c->seeded48 = true;
    return c;
}

EXPORT int rand(void)
{
    return engine_active ? (int)draw_random() : NEXT(rand)();
}

EXPORT long random(void)
{
    return engine_active ? draw_random() : NEXT(random)();
}

EXPORT void srandom(unsigned with)
{
    if (engine_active)
        seed(chance(), with);
    else
        NEXT(srandom)(with);
}

EXPORT void srand(unsigned with)
{
    if (engine_active)
        seed(chance(), with);
    else
        NEXT(srand)(with);
}

/* The state that was in use is returned; the thread's own is as good as any. */
EXPORT char *initstate(unsigned with, char *state, size_t size)
{
    if (!engine_active)
        return NEXT(initstate)(with, state, size);
    struct chance *c = chance_seeded();
    char *before = c->state;
    engine_plain((uint64_t)state, size, true, CALLER);
    if (initstate_r(with, state, size, &c->data) != 0)
        return NULL;
    c->state = state;
    return before;
}

EXPORT char *setstate(char *state)
{
    if (!engine_active)
        return NEXT(setstate)(state);
    struct chance *c = chance_seeded();
    char *before = c->state;
    if (setstate_r(state, &c->data) != 0)
        return NULL;
    c->state = state;
    return before;
}

EXPORT double drand48(void)
{
    double number;
    if (!engine_active)
        return NEXT(drand48)();
    drand48_r(&chance_seeded48()->data48, &number);
    return number;
}

EXPORT long lrand48(void)
{
    long number;
    if (!engine_active)
        return NEXT(lrand48)();
    lrand48_r(&chance_seeded48()->data48, &number);
    return number;
}

EXPORT long mrand48(void)
{
    long number;
    if (!engine_active)
        return NEXT(mrand48)();
    mrand48_r(&chance_seeded48()->data48, &number);
    return number;
}

EXPORT void srand48(long with)
{
    if (engine_active)
        srand48_r(with, &chance_seeded48()->data48);
    else
        NEXT(srand48)(with);
}

EXPORT unsigned short *seed48(unsigned short with[3])
{
    if (!engine_active)
        return NEXT(seed48)(with);
    struct chance *c = chance_seeded48();
    engine_plain((uint64_t)with, sizeof c->last48, false, CALLER);
    real.memcpy(c->last48, c->data48.__x, sizeof c->last48);
    seed48_r(with, &c->data48);
    return c->last48;
}

EXPORT void lcong48(unsigned short parameters[7])
{
    if (!engine_active) {
        NEXT(lcong48)(parameters);
        return;
    }
    engine_plain((uint64_t)parameters, 7 * sizeof *parameters, false, CALLER);
    lcong48_r(parameters, &chance_seeded48()->data48);
}

static uint64_t draw(void)
{
    struct chance *c = chance();
    return hash_word((++c->words << 8 | (uint64_t)(c - chances)) * 0x9e3779b97f4a7c15u);
}

void chance_fill(void *to, size_t size, const void *pc)
{
    engine_plain((uint64_t)to, size, true, pc);
    for (size_t k = 0; k < size; k++)
        ((char *)to)[k] = (char)draw();
}

EXPORT ssize_t getrandom(void *to, size_t size, unsigned flags)
{
    if (!engine_active)
        return NEXT(getrandom)(to, size, flags);
    chance_fill(to, size, CALLER);
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
    chance_fill(to, size, CALLER);
    return 0;
}

EXPORT uint32_t arc4random(void)
{
    return engine_active ? (uint32_t)draw() : NEXT(arc4random)();
}

EXPORT void arc4random_buf(void *to, size_t size)
{
    if (engine_active)
        chance_fill(to, size, CALLER);
    else
        NEXT(arc4random_buf)(to, size);
}

EXPORT uint32_t arc4random_uniform(uint32_t bound)
{
    if (!engine_active)
        return NEXT(arc4random_uniform)(bound);
    return bound ? (uint32_t)(draw() % bound) : 0;
}

/* ------------------------------------------------------------------ devices */

bool chance_is_device(int fd)
{
    enum { MEMORY_DEVICES = 1, RANDOM = 8, URANDOM = 9 };
    struct stat file;
    if (fstat(fd, &file) != 0 || !S_ISCHR(file.st_mode) || major(file.st_rdev) != MEMORY_DEVICES)
        return false;
    return minor(file.st_rdev) == RANDOM || minor(file.st_rdev) == URANDOM;
}

bool chance_is_name(const char *path)
{
    return strcmp(path, "/dev/urandom") == 0 || strcmp(path, "/dev/random") == 0;
}

static int make_file(void)
{
    enum { WORDS = 1 << 13 };
    static uint64_t words[WORDS];
    int fd = memfd_create("random", MFD_CLOEXEC);
    for (uint64_t k = 0; k < WORDS; k++)
        words[k] = hash_word((k + 1) * 0x9e3779b97f4a7c15u);
    return fd >= 0 && pwrite(fd, words, sizeof words, 0) == (ssize_t)sizeof words ? fd : -1;
}

const char *chance_stream_name(const char *path)
{
    static int fd = -2;
    static char name[32];
    if (!engine_active || !chance_is_name(path))
        return path;
    if (fd == -2) {
        fd = make_file();
        snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    }
    return fd >= 0 ? name : path;
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
