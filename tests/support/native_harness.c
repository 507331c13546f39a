/* SPDX-License-Identifier: Apache-2.0 */
/* A harness for tests/unit/programs/test_native.c: an operation for everything that a round may meet. Weights of the plan choose. */
#include <plumb.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long items[1 << 16];
static size_t item_count;
static atomic_long attached, total;
static atomic_bool locked, broken;
static const char *last_name[300];

PLUMB_OBJECT(stack)

PLUMB_SETUP()
{
    item_count = 0;
    total = 0;
    broken = false;
}

PLUMB_THREAD_SETUP()
{
    attached++;
}

PLUMB_THREAD_TEARDOWN()
{
    attached--;
}

PLUMB_OP(push, long, v)
{
    pthread_mutex_lock(&mutex);
    items[item_count++ % (sizeof items / sizeof *items)] = v;
    pthread_mutex_unlock(&mutex);
    return PLUMB_OK;
}

PLUMB_OP(pop)
{
    pthread_mutex_lock(&mutex);
    long v = item_count ? items[--item_count] : 0;
    pthread_mutex_unlock(&mutex);
    return v ? PLUMB_INT(v) : PLUMB_NONE;
}

/* Answers what it got the last time, whose memory has to be as it was. */
PLUMB_OP(name, const char *, s)
{
    const char *before = last_name[plumb_thread()];
    last_name[plumb_thread()] = s;
    return PLUMB_STRING(before);
}

PLUMB_OP(pair, int, a, long, b)
{
    plumb_value both[] = {PLUMB_INT(a), PLUMB_INT(b)};
    return PLUMB_ARRAY(both, 2);
}

PLUMB_OP(three, int, a, const char *, b, bool, c)
{
    plumb_value all[] = {PLUMB_INT(a), PLUMB_STRING(b), PLUMB_BOOL(c)};
    return PLUMB_ARRAY(all, 3);
}

PLUMB_OP(wide, long, v)
{
    return PLUMB_INT(INT64_MAX - v);
}

PLUMB_OP(try_acquire)
{
    return PLUMB_BOOL(!atomic_exchange(&locked, true));
}

PLUMB_OP(release)
{
    locked = false;
    return PLUMB_OK;
}

PLUMB_OP(tiny, signed char, v)
{
    return PLUMB_INT(v);
}

PLUMB_OP(thread)
{
    return PLUMB_INT(plumb_thread());
}

PLUMB_OP(who_is_here)
{
    return PLUMB_INT(attached);
}

PLUMB_OP(crash)
{
    int *volatile nowhere = (int *)8;
    *nowhere = 1;
    return PLUMB_OK;
}

PLUMB_OP(fail)
{
    abort();
}

PLUMB_OP(leave)
{
    pthread_exit(NULL);
}

PLUMB_OP(quit)
{
    _exit(3);
}

PLUMB_OP(assume)
{
    plumb_assume(plumb_choose(50) != 0);
    return PLUMB_OK;
}

PLUMB_OP(break_invariant)
{
    broken = true;
    return PLUMB_OK;
}

PLUMB_OP(look, int, key)
{
    return PLUMB_INT(key);
}

PLUMB_OP(swap, int, expected, int, v)
{
    (void)v;
    return PLUMB_INT(expected);
}

PLUMB_OP(count)
{
    return PLUMB_INT(++total);
}

/* No set-up resets it. */
PLUMB_OP(ever)
{
    static atomic_long ever;
    return PLUMB_INT(++ever);
}

PLUMB_OP(wait)
{
    while (pause() != 0)
        continue;
    return PLUMB_OK;
}

PLUMB_INVARIANT()
{
    return !broken;
}

#ifdef OWN_MAIN
int main(void)
{
    return 0;
}
#endif

/* Registered last, or first, as the linker likes, and listed first. */
#line 1
PLUMB_TRY(wide, 1)
