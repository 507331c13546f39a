/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for several descriptors: poll, select and epoll. */
#include "rt/channels/channels.h"

#include "base/vec.h"
#include "rt/start.h"
#include "rt/system/outside.h"
#include "rt/system/system_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

enum { FILES = 1024, SECOND = 1000000000 };

/* One call. */
struct looking {
    const char *name;
    struct channel *channel; /* the last of them; null: there is none */
    int last;
    bool has_others; /* what happens to them comes from elsewhere */
    uint64_t timers;
    struct pollfd *files; /* poll finds one of these ready when the call need not wait */
    nfds_t count;
    int64_t span; /* nanoseconds; negative: forever */
    const void *pc;
};

static int fail_with(int error)
{
    errno = error;
    return -1;
}

/* ------------------------------------------------------------------ the timers of an epoll instance */

struct member {
    const struct channel *watch, *timer;
    int fd;
};
static VEC(struct member) members;

BEFORE_EACH_EXECUTION(members_reset)
{
    vec_clear(&members);
}

static void forget_member(const struct channel *watch, int fd)
{
    size_t kept = 0;
    for (size_t k = 0; k < members.len; k++)
        if (members.data[k].watch != watch || members.data[k].fd != fd)
            members.data[kept++] = members.data[k];
    members.len = kept;
}

/* Those that are closed have left. */
static uint64_t timers_of(const struct channel *c)
{
    uint64_t set = c->kind == CHANNEL_TIMER ? channel_bit(c) : 0;
    for (size_t k = 0; c->kind == CHANNEL_WATCH && k < members.len; k++)
        if (members.data[k].watch == c && channel_descriptor(members.data[k].timer) >= 0)
            set |= channel_bit(members.data[k].timer);
    return set;
}

/* ------------------------------------------------------------------ waiting */

static bool is_other(int fd)
{
    return NEXT(fcntl)(fd, F_GETFD) >= 0;
}

static void add_file(struct looking *l, int fd)
{
    struct channel *c = fd < 0 ? NULL : channel_find(fd, l->pc);
    if (!c) {
        l->has_others |= fd >= 0 && is_other(fd);
        return;
    }
    if (l->channel)
        channel_join(l->channel, c, l->pc);
    l->channel = c;
    l->last = fd;
}

/* Known when the thread is inside. */
static void find_timers(struct looking *l)
{
    l->timers = 0;
    for (nfds_t k = 0; k < l->count; k++) {
        struct channel *c = channel_is_open(l->files[k].fd) ? channel_find(l->files[k].fd, l->pc) : NULL;
        l->timers |= c ? timers_of(c) : 0;
        l->has_others |= c && c->watches_others;
    }
}

static bool is_ready(const struct looking *l)
{
    return NEXT(poll)(l->files, l->count, 0) != 0;
}

static const struct deadline *earlier(const struct deadline *a, const struct deadline *b)
{
    if (!a || !b)
        return a ? a : b;
    bool is_first = a->until->tv_sec != b->until->tv_sec ? a->until->tv_sec < b->until->tv_sec
                                                         : a->until->tv_nsec < b->until->tv_nsec;
    return is_first ? a : b;
}

static void refuse_others(const struct looking *l)
{
    if (l->has_others)
        engine_give_up(l->pc, "%s that waits", l->name);
}

/* Inside, until the call need not wait any more. A timer that fires without making anything ready need not do so again. */
static void wait_inside(struct looking *l)
{
    int64_t begin = clock_shared(), end = l->span < 0 ? INT64_MAX / 4 : clock_own() + l->span;
    struct timespec moment, until = {end / SECOND, end % SECOND};
    struct deadline limit = {CLOCK_MONOTONIC, &until}, timer;
    uint64_t passed = 0;
    find_timers(l);
    channel_timers_pass(l->timers, false);
    while (l->span && !is_ready(l)) {
        const struct deadline *next = channel_timers_limit(l->timers & ~passed, &moment, &timer);
        const struct deadline *first = earlier(next, l->span < 0 ? NULL : &limit);
        refuse_others(l);
        bool in_time =
            channel_wait(l->channel, (struct channel_wish){l->files, l->count, false}, first, l->pc);
        find_timers(l);
        bool fires = !in_time && first == next;
        if (!in_time && !fires) {
            clock_pass_shared(begin + l->span);
            return;
        }
        channel_timers_pass(l->timers, false);
        passed = fires ? l->timers : 0;
    }
    channel_timers_pass(l->timers, true);
}

static void sleep_without(const struct looking *l)
{
    if (l->has_others || l->span < 0)
        engine_give_up(l->pc, "%s that waits", l->name);
    clock_sleep(l->span, l->pc);
}

/* The thread is inside then, if there is anything to be inside of. */
static void begin(struct looking *l)
{
    if (!l->channel) {
        engine_note_effect();
        outside_use_pipes(l->pc);
        if (l->span && !is_ready(l))
            sleep_without(l);
        return;
    }
    channel_enter_by(l->last, l->channel, l->pc);
    wait_inside(l);
}

static int end(const struct looking *l, int result)
{
    int error = errno;
    if (l->channel)
        channel_leave(l->channel, result == 0 ? CHANNEL_LOOKED_IN_VAIN : CHANNEL_LOOKED, l->pc);
    errno = error;
    return result;
}

static void announce(const void *at, size_t size, bool writes, const void *pc)
{
    if (at && size && hook_is_watched(pc))
        engine_plain((uint64_t)at, size, writes, pc);
}

/* Signals that are pending and let in have handlers that run now. */
static bool is_interrupted(const sigset_t *signals)
{
    return signals && NEXT(ppoll)(NULL, 0, &(struct timespec){0}, signals) < 0;
}

/* ------------------------------------------------------------------ poll */

/* A counter stands for a timer: it has room. */
static void hide_room(struct pollfd *files, nfds_t count, const void *pc)
{
    for (nfds_t k = 0; k < count; k++) {
        struct channel *c = channel_is_open(files[k].fd) ? channel_find(files[k].fd, pc) : NULL;
        if (c && c->kind == CHANNEL_TIMER)
            files[k].events &= ~(POLLOUT | POLLWRNORM);
    }
}

static int look_at_files(struct pollfd *files, nfds_t count, int64_t span, const sigset_t *signals,
                         const void *pc)
{
    struct pollfd own[FILES];
    struct looking l = {.name = "poll", .files = own, .count = count, .span = span, .pc = pc};
    if (count == 0 && span >= 0 && !signals)
        return clock_sleep(span, pc);
    if (count > FILES)
        engine_give_up(pc, "poll of more than %d files", FILES);
    if (is_interrupted(signals))
        return -1;
    real.memcpy(own, files, count * sizeof *own);
    hide_room(own, count, pc);
    for (nfds_t k = 0; k < count; k++)
        add_file(&l, own[k].fd);
    begin(&l);
    int result = NEXT(poll)(own, count, 0);
    for (nfds_t k = 0; k < count; k++)
        files[k].revents = own[k].revents;
    return end(&l, result);
}

REPLACE_BY(int, poll, (files, count, milliseconds), struct pollfd *files, nfds_t count, int milliseconds)
{
    announce(files, count * sizeof *files, true, CALLER);
    return look_at_files(files, count, milliseconds < 0 ? -1 : (int64_t)milliseconds * 1000000, NULL, CALLER);
}

static bool is_valid(const struct timespec *t)
{
    return !t || (t->tv_sec >= 0 && t->tv_nsec >= 0 && t->tv_nsec < SECOND);
}

static int64_t span_of(const struct timespec *t)
{
    const int64_t most = INT64_MAX / 16;
    return !t ? -1 : t->tv_sec >= most / SECOND ? most : t->tv_sec * SECOND + t->tv_nsec;
}

REPLACE_BY(int, ppoll, (files, count, span, signals), struct pollfd *files, nfds_t count,
           const struct timespec *span, const sigset_t *signals)
{
    announce(files, count * sizeof *files, true, CALLER);
    announce(span, sizeof *span, false, CALLER);
    announce(signals, sizeof *signals, false, CALLER);
    return is_valid(span) ? look_at_files(files, count, span_of(span), signals, CALLER) : fail_with(EINVAL);
}

/* ------------------------------------------------------------------ select */

enum { SETS = 3 };
static const short events_of[SETS] = {POLLIN | POLLRDHUP, POLLOUT, POLLPRI};

static nfds_t list_sets(int count, fd_set **sets, struct pollfd *files, const void *pc)
{
    nfds_t listed = 0;
    for (int fd = 0; fd < count && fd < FD_SETSIZE; fd++) {
        files[listed] = (struct pollfd){.fd = fd};
        for (int k = 0; k < SETS; k++)
            files[listed].events |= sets[k] && FD_ISSET(fd, sets[k]) ? events_of[k] : 0;
        listed += files[listed].events != 0;
    }
    hide_room(files, listed, pc);
    return listed;
}

static int look_once(int count, fd_set **sets)
{
    return NEXT(select)(count, sets[0], sets[1], sets[2], &(struct timeval){0});
}

/* What is ready for writing according to the kernel may be a timer. */
static int look_at_sets(int count, fd_set **sets, int64_t span, const sigset_t *signals, const void *pc)
{
    struct pollfd files[FD_SETSIZE];
    struct looking l = {.name = "select", .files = files, .span = span, .pc = pc};
    if (count == 0 && span >= 0 && !signals)
        return clock_sleep(span, pc);
    if (is_interrupted(signals))
        return -1;
    l.count = list_sets(count, sets, files, pc);
    for (nfds_t k = 0; k < l.count; k++) {
        struct channel *c = channel_find(files[k].fd, pc);
        if (c && c->kind == CHANNEL_TIMER && sets[1] && FD_ISSET(files[k].fd, sets[1]))
            engine_give_up(pc, "select for writing to a timer");
        add_file(&l, files[k].fd);
    }
    begin(&l);
    return end(&l, look_once(count, sets));
}

static void change_sets(fd_set **sets, const void *pc)
{
    for (size_t k = 0; k < SETS; k++)
        announce(sets[k], sizeof *sets[k], true, pc);
}

REPLACE_BY(int, select, (count, reading, writing, failing, span), int count, fd_set *reading, fd_set *writing,
           fd_set *failing, struct timeval *span)
{
    fd_set *sets[SETS] = {reading, writing, failing};
    change_sets(sets, CALLER);
    announce(span, sizeof *span, false, CALLER);
    if (span && (span->tv_sec < 0 || span->tv_usec < 0))
        return fail_with(EINVAL);
    int64_t length = span ? span_of(&(struct timespec){span->tv_sec, span->tv_usec * 1000}) : -1;
    return look_at_sets(count, sets, length, NULL, CALLER);
}

REPLACE_BY(int, pselect, (count, reading, writing, failing, span, signals), int count, fd_set *reading,
           fd_set *writing, fd_set *failing, const struct timespec *span, const sigset_t *signals)
{
    fd_set *sets[SETS] = {reading, writing, failing};
    change_sets(sets, CALLER);
    announce(span, sizeof *span, false, CALLER);
    announce(signals, sizeof *signals, false, CALLER);
    return is_valid(span) ? look_at_sets(count, sets, span_of(span), signals, CALLER) : fail_with(EINVAL);
}

/* ------------------------------------------------------------------ epoll */

/* What a change of the list is about. */
static void note_member(struct channel *watch, struct channel *c, int operation, int fd)
{
    if (operation == EPOLL_CTL_DEL)
        forget_member(watch, fd);
    else if (!c)
        watch->watches_others = true;
    else if (operation == EPOLL_CTL_ADD && c->kind == CHANNEL_TIMER)
        vec_push(&members, ((struct member){watch, c, fd}));
    watch->watches_others |= c && c->watches_others;
    channel_stir(watch);
}

static int change_list(struct channel *watch, int number, int operation, int fd,
                       const struct epoll_event *event, const void *pc)
{
    struct channel *c = channel_find(fd, pc);
    struct epoll_event own = event ? *event : (struct epoll_event){0};
    if (operation != EPOLL_CTL_DEL && own.events & EPOLLEXCLUSIVE)
        engine_give_up(pc, "EPOLLEXCLUSIVE");
    if (c && c != watch && c->kind == CHANNEL_WATCH && operation == EPOLL_CTL_ADD)
        engine_give_up(pc, "an epoll descriptor in an epoll instance");
    if (c && c->kind == CHANNEL_TIMER)
        own.events &= ~(uint32_t)(EPOLLOUT | EPOLLWRNORM);
    if (c)
        channel_join(watch, c, pc);
    channel_enter_by(number, watch, pc);
    int result = NEXT(epoll_ctl)(number, operation, fd, event ? &own : NULL), error = errno;
    if (result == 0)
        note_member(watch, c, operation, fd);
    channel_leave(watch, result == 0 ? CHANNEL_CHANGED : CHANNEL_LOOKED, pc);
    errno = error;
    return result;
}

REPLACE_BY(int, epoll_ctl, (number, operation, fd, event), int number, int operation, int fd,
           struct epoll_event *event)
{
    struct channel *watch = channel_find(number, CALLER);
    if (!watch || watch->kind != CHANNEL_WATCH)
        return NEXT(epoll_ctl)(number, operation, fd, event);
    return change_list(watch, number, operation, fd, event, CALLER);
}

static int wait_for_events(const char *name, int fd, struct epoll_event *events, int room, int64_t span,
                           const sigset_t *signals, const void *pc)
{
    struct pollfd file = {.fd = fd, .events = POLLIN};
    struct looking l = {.name = name, .files = &file, .count = 1, .span = span, .pc = pc};
    if (is_interrupted(signals))
        return -1;
    add_file(&l, fd);
    if (room <= 0 || (l.channel && l.channel->kind != CHANNEL_WATCH))
        return fail_with(EINVAL);
    begin(&l);
    int count = NEXT(epoll_wait)(fd, events, room, 0);
    if (count > 0 && hook_is_watched(pc))
        engine_plain_late((uint64_t)events, (size_t)count * sizeof *events, pc);
    return end(&l, count);
}

static int64_t in_nanoseconds(int milliseconds)
{
    return milliseconds < 0 ? -1 : (int64_t)milliseconds * 1000000;
}

REPLACE(int, epoll_wait, (fd, events, room, milliseconds),
        wait_for_events("epoll_wait", fd, events, room, in_nanoseconds(milliseconds), NULL, CALLER), int fd,
        struct epoll_event *events, int room, int milliseconds)
REPLACE(int, epoll_pwait, (fd, events, room, milliseconds, signals),
        wait_for_events("epoll_pwait", fd, events, room, in_nanoseconds(milliseconds), signals, CALLER),
        int fd, struct epoll_event *events, int room, int milliseconds, const sigset_t *signals)
REPLACE_BY(int, epoll_pwait2, (fd, events, room, span, signals), int fd, struct epoll_event *events, int room,
           const struct timespec *span, const sigset_t *signals)
{
    return is_valid(span) ? wait_for_events("epoll_pwait2", fd, events, room, span_of(span), signals, CALLER)
                          : fail_with(EINVAL);
}
