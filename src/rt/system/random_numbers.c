/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers: every execution sees the same ones. */
#include "base/hash.h"
#include "rt/system/system_parts.h"
#include "rt/hook.h"
#include "rt/start.h"

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

BEFORE_EACH_EXECUTION(chance_reset)
{
    real.memset(chances, 0, used * sizeof *chances);
    used = 0;
}

static struct chance *chance(void)
{
    uint32_t self = engine_current();
    engine_distinguish_threads();
    engine_limit(LIMIT_CHANCE);
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

REPLACE(int, rand, (), (int)draw_random(), void)
REPLACE(long, random, (), draw_random(), void)
REPLACE(void, srandom, (with), seed(chance(), with), unsigned with)
REPLACE(void, srand, (with), seed(chance(), with), unsigned with)

/* The state that was in use is returned; the thread's own is as good as any. */
REPLACE_BY(char *, initstate, (with, state, size), unsigned with, char *state, size_t size)
{
    struct chance *c = chance_seeded();
    char *before = c->state;
    engine_plain((uint64_t)state, size, true, CALLER);
    if (initstate_r(with, state, size, &c->data) != 0)
        return NULL;
    c->state = state;
    return before;
}

REPLACE_BY(char *, setstate, (state), char *state)
{
    struct chance *c = chance_seeded();
    char *before = c->state;
    if (setstate_r(state, &c->data) != 0)
        return NULL;
    c->state = state;
    return before;
}

#define DRAWS(type, name)                              \
    REPLACE_BY(type, name, (), void)                   \
    {                                                  \
        type number;                                   \
        name##_r(&chance_seeded48()->data48, &number); \
        return number;                                 \
    }

DRAWS(double, drand48)
DRAWS(long, lrand48)
DRAWS(long, mrand48)

REPLACE(void, srand48, (with), (void)srand48_r(with, &chance_seeded48()->data48), long with)

REPLACE_BY(unsigned short *, seed48, (with), unsigned short with[3])
{
    struct chance *c = chance_seeded48();
    engine_plain((uint64_t)with, sizeof c->last48, false, CALLER);
    real.memcpy(c->last48, c->data48.__x, sizeof c->last48);
    seed48_r(with, &c->data48);
    return c->last48;
}

REPLACE_BY(void, lcong48, (parameters), unsigned short parameters[7])
{
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

REPLACE_BY(ssize_t, getrandom, (to, size, flags), void *to, size_t size, unsigned flags)
{
    chance_fill(to, size, CALLER);
    return (ssize_t)size;
}

REPLACE_BY(int, getentropy, (to, size), void *to, size_t size)
{
    enum { MOST = 256 };
    if (size > MOST) {
        errno = EIO;
        return -1;
    }
    chance_fill(to, size, CALLER);
    return 0;
}

REPLACE(uint32_t, arc4random, (), (uint32_t)draw(), void)
REPLACE(void, arc4random_buf, (to, size), chance_fill(to, size, CALLER), void *to, size_t size)
REPLACE(uint32_t, arc4random_uniform, (bound), bound ? (uint32_t)(draw() % bound) : 0, uint32_t bound)

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
