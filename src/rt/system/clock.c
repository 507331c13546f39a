/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks and sleeping. Inside an execution time passes only when the program looks at it or sleeps: a
 * little with each look, more and more so that a loop that waits for a moment gets there soon. */
#include "rt/system/system_parts.h"

#include "rt/hook.h"
#include "rt/start.h"

#include <errno.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <threads.h>
#include <unistd.h>

#define SECOND ((int64_t)1000000000)

enum { LOOK = 1000, LOOK_GROWTH = 64, TICKS = 100 };

static const int64_t start_of_time = 1000 * SECOND, start_of_day = 1700000000 * SECOND;

static int64_t now, looks; /* now: of CLOCK_MONOTONIC, in nanoseconds */
static int64_t shift;      /* every execution begins so much later */
static struct clock_look first_look;

void clock_shift(bool on)
{
    shift = on ? 86399 * SECOND + 123456789 : 0;
}

struct clock_look clock_first_look(void)
{
    return first_look;
}

/* When each thread last let time pass, and last looked at it; 0: not in this execution. */
static struct moments {
    int32_t passed, used;
    int64_t own; /* what it knows to have passed, whatever others did */
} moments[CLOCKS_THREADS_MAX];
static uint32_t timed; /* threads with a number below did */

BEFORE_EACH_EXECUTION(clock_reset)
{
    now = start_of_time + shift;
    looks = 0;
    real.memset(moments, 0, timed * sizeof *moments);
    timed = 0;
}

static bool is_unordered(uint32_t thread, int32_t at)
{
    return at && !engine_knows(thread, at);
}

/* What a look finds depends on all that let time pass before it. An exploration of graphs tries no other orders of steps that nothing
 * else orders. */
static void note_order(bool uses)
{
    uint32_t self = engine_current();
    for (uint32_t t = 0; engine_graph_mode && t < timed; t++)
        if (t != self && (is_unordered(t, moments[t].used) || (uses && is_unordered(t, moments[t].passed))))
            engine_limit(LIMIT_TIMES);
    timed = self < timed ? timed : self + 1;
    moments[self].passed = engine_now();
    if (uses)
        moments[self].used = moments[self].passed;
}

static bool is_calendar(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

static int64_t look(clockid_t clock, const char *function, const void *pc, bool uses)
{
    if (!first_look.function)
        first_look = (struct clock_look){function, pc};
    if (uses)
        engine_note_answer(function, pc);
    engine_distinguish_threads();
    engine_note_time();
    note_order(uses);
    now += LOOK + LOOK_GROWTH * looks++;
    if (uses)
        moments[engine_current()].own = now;
    return is_calendar(clock) ? now + start_of_day : now;
}

/* What the thread finds there is part of its state. */
static int64_t use(clockid_t clock, const char *function, const void *pc)
{
    engine_note_use_of_time();
    return look(clock, function, pc, true);
}

static struct timespec split(int64_t t)
{
    return (struct timespec){t / SECOND, t % SECOND};
}

/* Far enough for every program, and no overflow. */
static int64_t join(const struct timespec *t)
{
    const int64_t most = INT64_MAX / 4;
    return t->tv_sec >= most / SECOND ? most : t->tv_sec < 0 ? 0 : t->tv_sec * SECOND + t->tv_nsec;
}

static void pass(int64_t until)
{
    if (until <= now || until >= INT64_MAX / 4)
        return;
    engine_note_time();
    note_order(false);
    now = until;
}

int64_t clock_own(void)
{
    int64_t own = engine_current() < timed ? moments[engine_current()].own : 0;
    return own > start_of_time + shift ? own : start_of_time + shift;
}

int64_t clock_shared(void)
{
    return now;
}

void clock_pass_shared(int64_t until)
{
    pass(until);
}

static void know(int64_t until)
{
    uint32_t self = engine_current();
    timed = self < timed ? timed : self + 1;
    moments[self].own = until;
}

void clock_pass_to(int64_t until)
{
    pass(until);
    if (until > clock_own() && until < INT64_MAX / 4)
        know(until);
}

int64_t clock_monotonic(clockid_t clock, const struct timespec *moment)
{
    return join(moment) - (is_calendar(clock) ? start_of_day : 0);
}

void clock_pass(clockid_t clock, const struct timespec *until)
{
    if (until)
        clock_pass_to(clock_monotonic(clock, until));
}

/* ------------------------------------------------------------------ looking */

EXPORT int clock_gettime(clockid_t clock, struct timespec *out)
{
    if (!engine_active)
        return real.clock_gettime ? real.clock_gettime(clock, out) : NEXT(clock_gettime)(clock, out);
    bool uses = engine_note_look((uint64_t)out, CALLER);
    *out = split(look(clock, "clock_gettime", CALLER, uses));
    return 0;
}

REPLACE_BY(int, timespec_get, (out, base), struct timespec *out, int base)
{
    if (base != TIME_UTC)
        return 0;
    *out = split(use(CLOCK_REALTIME, "timespec_get", CALLER));
    return base;
}

REPLACE_BY(int, gettimeofday, (out, zone), struct timeval *restrict out, void *restrict zone)
{
    struct timespec t = split(use(CLOCK_REALTIME, "gettimeofday", CALLER));
    *out = (struct timeval){t.tv_sec, t.tv_nsec / 1000};
    return 0;
}

REPLACE_BY(time_t, time, (out), time_t *out)
{
    time_t t = split(use(CLOCK_REALTIME, "time", CALLER)).tv_sec;
    if (out)
        *out = t;
    return t;
}

REPLACE(clock_t, clock, (), (clock_t)((use(CLOCK_MONOTONIC, "clock", CALLER) - start_of_time) / 1000), void)

REPLACE_BY(clock_t, times, (out), struct tms *out)
{
    clock_t t = (clock_t)(use(CLOCK_MONOTONIC, "times", CALLER) / (SECOND / TICKS));
    if (out)
        *out = (struct tms){.tms_utime = t};
    return t;
}

/* Of all that the system counts only the time means something here. */
REPLACE_BY(int, getrusage, (who, out), __rusage_who_t who, struct rusage *out)
{
    struct timespec t = split(use(CLOCK_MONOTONIC, "getrusage", CALLER) - start_of_time);
    *out = (struct rusage){.ru_utime = {t.tv_sec, t.tv_nsec / 1000}};
    return 0;
}

/* ------------------------------------------------------------------ sleeping */

static int yield(const void *pc)
{
    engine_step(EVENT_YIELD, 0, 0, pc);
    engine_note(EVENT_YIELD, 0, 0, ORDER_PLAIN, 0, 0, pc);
    return 0;
}

int clock_sleep(int64_t span, const void *pc)
{
    int64_t passes = span > 0 && span < INT64_MAX / 8 ? span : 0, end = now + passes;
    yield(pc);
    pass(end);
    know(clock_own() + passes);
    return 0;
}

static void announce(const void *at, size_t size, bool writes, const void *pc)
{
    if (at && size && hook_is_watched(pc))
        engine_plain((uint64_t)at, size, writes, pc);
}

static void read_span(const struct timespec *t, const void *pc)
{
    announce(t, sizeof *t, false, pc);
}

static bool is_valid(const struct timespec *t)
{
    return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < SECOND;
}

REPLACE_BY(int, nanosleep, (span, left), const struct timespec *span, struct timespec *left)
{
    read_span(span, CALLER);
    if (!is_valid(span)) {
        errno = EINVAL;
        return -1;
    }
    return clock_sleep(join(span), CALLER);
}

REPLACE_BY(int, clock_nanosleep, (clock_id, flags, t, left), clockid_t clock_id, int flags,
           const struct timespec *t, struct timespec *left)
{
    read_span(t, CALLER);
    if (!is_valid(t))
        return EINVAL;
    if (!(flags & TIMER_ABSTIME))
        return clock_sleep(join(t), CALLER);
    yield(CALLER);
    clock_pass(clock_id, t);
    return 0;
}

REPLACE_BY(int, thrd_sleep, (span, left), const struct timespec *span, struct timespec *left)
{
    read_span(span, CALLER);
    if (!is_valid(span))
        return -2;
    return clock_sleep(join(span), CALLER);
}

REPLACE(int, usleep, (span), clock_sleep((int64_t)span * 1000, CALLER), useconds_t span)
REPLACE(unsigned, sleep, (span), (unsigned)clock_sleep((int64_t)span *SECOND, CALLER), unsigned span)

REPLACE(int, sched_yield, (), yield(CALLER), void)
REPLACE(void, thrd_yield, (), (void)yield(CALLER), void)

int clock_pthread_yield(void) __asm__("pthread_yield"); /* the header makes it another name of sched_yield */
EXPORT int clock_pthread_yield(void)
{
    return engine_active ? yield(CALLER) : NEXT(sched_yield)();
}
