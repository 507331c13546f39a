/* SPDX-License-Identifier: Apache-2.0 */
/* Calls on one descriptor of a channel. */
#include "rt/channels/channels.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static int flags_of(int fd)
{
    return NEXT(fcntl)(fd, F_GETFL);
}

/* Between steps nothing else runs: no thread sees that the descriptor does not wait. */
static void stop_waiting(struct channel_use *u)
{
    int flags = flags_of(u->fd);
    u->has_nonblocking = flags >= 0 && !(flags & O_NONBLOCK);
    if (u->has_nonblocking)
        NEXT(fcntl)(u->fd, F_SETFL, flags | O_NONBLOCK);
}

static void wait_again(struct channel_use *u)
{
    int error = errno;
    if (u->has_nonblocking)
        NEXT(fcntl)(u->fd, F_SETFL, flags_of(u->fd) & ~O_NONBLOCK);
    u->has_nonblocking = false;
    errno = error;
}

bool channel_begin(struct channel_use *u, const char *name, int fd, short events, bool waits, const void *pc)
{
    *u = (struct channel_use){
        .channel = channel_find(fd, pc), .name = name, .fd = fd, .events = events, .pc = pc};
    if (!u->channel)
        return false;
    if (u->channel->kind == CHANNEL_WATCH)
        engine_give_up(pc, "%s of an epoll descriptor", name);
    channel_enter_by(fd, u->channel, pc);
    u->waits = waits && flags_of(fd) >= 0 && !(flags_of(fd) & O_NONBLOCK);
    channel_timers_pass(channel_bit(u->channel), !u->waits);
    if (u->waits)
        stop_waiting(u);
    return true;
}

/* Room for a value or for a message depends on its size: poll does not say whether there is enough. */
static bool is_clear_to_poll(const struct channel_use *u)
{
    return u->events == POLLIN || u->channel->kind == CHANNEL_PIPE;
}

static void wait_for_others(struct channel_use *u)
{
    struct pollfd file = {.fd = u->fd, .events = u->events};
    uint64_t set = channel_bit(u->channel);
    struct timespec moment;
    struct deadline limit;
    if (u->done) {
        engine_note_effect();
        channel_wake(u->channel, u->pc);
    }
    channel_wait(u->channel, (struct channel_wish){&file, 1, !is_clear_to_poll(u)},
                 channel_timers_limit(set, &moment, &limit), u->pc);
    channel_timers_pass(set, false);
}

/* A datagram socket that was shut down: a call that may wait returns at once, and one that may not says that it would wait. */
static bool waits_for_nothing(const struct channel_use *u)
{
    struct pollfd file = {.fd = u->fd, .events = POLLIN};
    return u->events == POLLIN && NEXT(poll)(&file, 1, 0) == 1;
}

bool channel_again(struct channel_use *u, ssize_t result, size_t size)
{
    if (!u->channel)
        return false;
    bool is_full = result < 0 && errno == EAGAIN;
    wait_again(u);
    if (result > 0)
        u->done += (size_t)result;
    if (!u->waits || (result < 0 ? !is_full : u->done >= size))
        return false;
    if (is_full && waits_for_nothing(u))
        return true;
    if (is_full)
        wait_for_others(u);
    stop_waiting(u);
    return true;
}

void channel_end(struct channel_use *u, ssize_t result)
{
    if (!u->channel)
        return;
    int error = errno;
    enum channel_effect failed = error == EAGAIN ? CHANNEL_LOOKED_IN_VAIN : CHANNEL_LOOKED;
    channel_leave(u->channel, result >= 0 || u->done ? CHANNEL_CHANGED : failed, u->pc);
    errno = error;
}

/* ------------------------------------------------------------------ other functions */

/* They find what never changes, or the runtime has a function of its own. */
static bool is_supported(const char *name)
{
    static const char *const names[] = {"dup",
                                        "dup2",
                                        "dup3",
                                        "fcntl",
                                        "fcntl64",
                                        "shutdown",
                                        "setsockopt",
                                        "epoll_ctl",
                                        "isatty",
                                        "isfdtype",
                                        "fstat",
                                        "fstat64",
                                        "getsockname",
                                        "getpeername",
                                        "lseek",
                                        "lseek64",
                                        "fsync",
                                        "fdatasync",
                                        "posix_fadvise",
                                        "timerfd_settime",
                                        "timerfd_gettime"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(name, names[k]) == 0)
            return true;
    return false;
}

void channel_refuse_call(const char *name, const void *pc)
{
    if (!is_supported(name))
        engine_give_up(pc, "%s of a pipe or the like", name);
}
