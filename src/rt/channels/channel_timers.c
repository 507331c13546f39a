/* SPDX-License-Identifier: Apache-2.0 */
/* timerfd. The kernel has a counter of the times that one fired. An armed timer may fire whenever somebody looks, and has fired when its moment
 * has passed for the thread that looks; then it is that late. */
#include "rt/channels/channels.h"

#include "rt/start.h"
#include "rt/system/system_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { SECOND = 1000000000 };
#define NEVER (INT64_MAX / 4)

static struct timer {
    clockid_t clock;
    int64_t next, interval; /* next: NEVER where it is not armed; by clock_own */
    int64_t shared;         /* the same by clock_shared */
} timers[CHANNELS_MAX];
static uint64_t armed; /* bits of channels */

BEFORE_EACH_EXECUTION(timers_reset)
{
    armed = 0;
}

/* ------------------------------------------------------------------ firing */

static void fire(struct timer *t, int fd, uint64_t times)
{
    int64_t more = (int64_t)times * t->interval;
    clock_pass_shared(t->shared + more - t->interval);
    t->next = t->interval ? t->next + more : NEVER;
    t->shared += more;
    channel_stir(channel_at((uint32_t)(t - timers)));
    if (fd >= 0 && NEXT(write)(fd, &times, sizeof times) != sizeof times)
        abort(); /* a counter that is full: no program gets there */
}

/* All whose moment has passed. */
static bool fire_late(uint64_t set)
{
    bool any = false;
    for (uint64_t left = set & armed; left; left &= left - 1) {
        uint32_t k = (uint32_t)__builtin_ctzll(left);
        struct timer *t = &timers[k];
        if (t->next > clock_own())
            continue;
        fire(t, channel_descriptor(channel_at(k)),
             t->interval ? 1 + (uint64_t)((clock_own() - t->next) / t->interval) : 1);
        if (t->next == NEVER)
            armed &= ~(UINT64_C(1) << k);
        any = true;
    }
    return any;
}

static int64_t next_moment(uint64_t set)
{
    int64_t first = NEVER;
    for (uint64_t left = set & armed; left; left &= left - 1) {
        const struct timer *t = &timers[__builtin_ctzll(left)];
        first = t->next < first ? t->next : first;
    }
    return first;
}

/* A timer that fires again and again may do so once or twice before somebody looks. */
bool channel_timers_pass(uint64_t set, bool may_fire)
{
    bool any = fire_late(set);
    for (int round = 0; may_fire && round < 2 && next_moment(set) < NEVER && engine_branch(2); round++) {
        clock_pass_to(next_moment(set));
        any |= fire_late(set);
    }
    return any;
}

const struct deadline *channel_timers_limit(uint64_t set, struct timespec *moment, struct deadline *limit)
{
    int64_t next = next_moment(set);
    if (next == NEVER)
        return NULL;
    *moment = (struct timespec){next / SECOND, next % SECOND};
    *limit = (struct deadline){CLOCK_MONOTONIC, moment};
    return limit;
}

/* ------------------------------------------------------------------ calls */

/* The flags have the same values. */
_Static_assert((int)TFD_NONBLOCK == EFD_NONBLOCK && (int)TFD_CLOEXEC == EFD_CLOEXEC,
               "one is made for the other");

static bool is_known_clock(clockid_t clock)
{
    return clock == CLOCK_MONOTONIC || clock == CLOCK_REALTIME || clock == CLOCK_BOOTTIME;
}

REPLACE_BY(int, timerfd_create, (clock_id, flags), clockid_t clock_id, int flags)
{
    bool is_valid = is_known_clock(clock_id) && !(flags & ~(TFD_NONBLOCK | TFD_CLOEXEC));
    int fd = is_valid ? NEXT(eventfd)(0, flags) : NEXT(timerfd_create)(clock_id, flags);
    if (fd < 0)
        return fd;
    if (!is_valid)
        engine_give_up(CALLER, "timerfd_create with a clock of its own");
    struct channel *c = channel_make(CHANNEL_TIMER, CALLER);
    channel_bind(fd, c, CALLER);
    timers[__builtin_ctzll(channel_bit(c))] = (struct timer){.clock = clock_id, .next = NEVER};
    return fd;
}

static int64_t in_nanoseconds(const struct timespec *t)
{
    const int64_t most = NEVER / 4;
    return t->tv_sec >= most / SECOND ? most : t->tv_sec * SECOND + t->tv_nsec;
}

static struct timespec split(int64_t t)
{
    return (struct timespec){t / SECOND, t % SECOND};
}

static struct itimerspec describe(const struct timer *t)
{
    struct itimerspec s = {.it_interval = split(t->interval)};
    if (t->next < NEVER)
        s.it_value = split(t->next > clock_own() ? t->next - clock_own() : 1);
    return s;
}

static bool is_valid(const struct timespec *t)
{
    return t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < SECOND;
}

static void set(struct timer *t, uint64_t bit, int flags, const struct itimerspec *value)
{
    bool arms = value->it_value.tv_sec || value->it_value.tv_nsec;
    t->interval = in_nanoseconds(&value->it_interval);
    int64_t span = in_nanoseconds(&value->it_value), moment = clock_monotonic(t->clock, &value->it_value);
    t->next = flags & TFD_TIMER_ABSTIME ? moment : clock_own() + span;
    t->shared = flags & TFD_TIMER_ABSTIME ? moment : clock_shared() + span;
    t->next = arms ? t->next : NEVER;
    armed = arms ? armed | bit : armed & ~bit;
}

static void drain(int fd)
{
    struct pollfd file = {.fd = fd, .events = POLLIN};
    uint64_t count;
    if (NEXT(poll)(&file, 1, 0) == 1 && NEXT(read)(fd, &count, sizeof count) != sizeof count)
        abort();
}

static int fail_with(int error)
{
    errno = error;
    return -1;
}

static struct timer *enter(int fd, struct channel **c, const void *pc)
{
    *c = channel_find(fd, pc);
    if (!*c)
        return NULL;
    channel_enter_by(fd, *c, pc);
    if ((*c)->kind == CHANNEL_TIMER && channel_is_open(fd))
        return &timers[__builtin_ctzll(channel_bit(*c))];
    bool is_open = channel_is_open(fd);
    channel_leave(*c, CHANNEL_LOOKED, pc);
    errno = is_open ? EINVAL : EBADF;
    return NULL;
}

REPLACE_BY(int, timerfd_settime, (fd, flags, value, old), int fd, int flags, const struct itimerspec *value,
           struct itimerspec *old)
{
    struct channel *c;
    if (flags & ~(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET) || !is_valid(&value->it_value) ||
        !is_valid(&value->it_interval))
        return fail_with(EINVAL);
    struct timer *t = enter(fd, &c, CALLER);
    if (!t)
        return c ? -1 : NEXT(timerfd_settime)(fd, flags, value, old);
    channel_timers_pass(channel_bit(c), true);
    if (old)
        *old = describe(t);
    drain(fd);
    set(t, channel_bit(c), flags, value);
    channel_timers_pass(channel_bit(c), false);
    channel_stir(c);
    channel_leave(c, CHANNEL_CHANGED, CALLER);
    return 0;
}

REPLACE_BY(int, timerfd_gettime, (fd, value), int fd, struct itimerspec *value)
{
    struct channel *c;
    struct timer *t = enter(fd, &c, CALLER);
    if (!t)
        return c ? -1 : NEXT(timerfd_gettime)(fd, value);
    channel_timers_pass(channel_bit(c), true);
    *value = describe(t);
    channel_leave(c, CHANNEL_LOOKED, CALLER);
    return 0;
}
