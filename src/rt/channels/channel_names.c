/* SPDX-License-Identifier: Apache-2.0 */
/* How channels come to be, and what their descriptors are copied to, replaced by and closed with. */
#include "engine/memory/undefined_bits.h"
#include "rt/channels/channels.h"

#include "rt/system/outside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* ------------------------------------------------------------------ making */

static int make_one(enum channel_kind kind, int fd, const void *pc)
{
    if (engine_active && fd >= 0)
        channel_bind(fd, channel_make(kind, pc), pc);
    return fd;
}

static int make_two(enum channel_kind kind, int result, const int *ends, const void *pc)
{
    if (!engine_active || result != 0)
        return result;
    struct channel *c = channel_make(kind, pc);
    channel_bind(ends[0], c, pc);
    channel_bind(ends[1], c, pc);
    return result;
}

EXPORT int pipe2(int ends[2], int flags)
{
    return make_two(CHANNEL_PIPE, NEXT(pipe2)(ends, flags), ends, CALLER);
}

EXPORT int pipe(int ends[2])
{
    return make_two(CHANNEL_PIPE, NEXT(pipe)(ends), ends, CALLER);
}

EXPORT int socketpair(int domain, int type, int protocol, int ends[2])
{
    outside_use(OUTSIDE_NAMES, true, CALLER);
    int result = NEXT(socketpair)(domain, type, protocol, ends);
    if (hook_is_watched(CALLER) && result == 0)
        engine_plain_late((uint64_t)ends, 2 * sizeof *ends, CALLER);
    return make_two(CHANNEL_PAIR, result, ends, CALLER);
}

EXPORT int eventfd(unsigned count, int flags)
{
    return make_one(CHANNEL_COUNTER, NEXT(eventfd)(count, flags), CALLER);
}

EXPORT int epoll_create1(int flags)
{
    return make_one(CHANNEL_WATCH, NEXT(epoll_create1)(flags), CALLER);
}

EXPORT int epoll_create(int size)
{
    return make_one(CHANNEL_WATCH, NEXT(epoll_create)(size), CALLER);
}

/* ------------------------------------------------------------------ closing */

/* The last descriptor of an end changes what the other end finds. */
static int close_channel(int fd, struct channel *c, const void *pc)
{
    channel_enter_by(fd, c, pc);
    channel_begin_closing(fd, pc);
    outside_use(OUTSIDE_NAMES, true, pc);
    int result = NEXT(close)(fd), error = errno;
    channel_unbind(fd);
    channel_leave(c, CHANNEL_CHANGED, pc);
    errno = error;
    return result;
}

/* Which number is free from then on depends on the moment of the call: no step may come in between. */

EXPORT int close(int fd)
{
    struct channel *c = channel_find(fd, CALLER);
    if (c)
        return close_channel(fd, c, CALLER);
    outside_use_file(fd, true, CALLER);
    outside_use(OUTSIDE_NAMES, true, CALLER);
    return NEXT(close)(fd);
}

static void close_between(unsigned from, unsigned to, const void *pc)
{
    for (unsigned fd = from; engine_active && fd <= to && fd < CHANNEL_DESCRIPTORS; fd++)
        if (channel_is_known((int)fd) && channel_find((int)fd, pc))
            close_channel((int)fd, channel_find((int)fd, pc), pc);
}

EXPORT int close_range(unsigned from, unsigned to, int flags)
{
    if (!flags)
        close_between(from, to, CALLER);
    outside_use(OUTSIDE_NAMES, true, CALLER);
    return NEXT(close_range)(from, to, flags);
}

void closefrom(int from); /* not in all headers */
EXPORT void closefrom(int from)
{
    close_between(from < 0 ? 0 : (unsigned)from, UINT32_MAX, CALLER);
    outside_use(OUTSIDE_NAMES, true, CALLER);
    NEXT(closefrom)(from);
}

/* ------------------------------------------------------------------ copies */

/* `to` is for what `from` is for from now on. */
static int copy_to(int from, int to, const void *pc)
{
    if (to >= 0 && from != to)
        channel_bind(to, channel_find(from, pc), pc);
    return to;
}

EXPORT int dup(int fd)
{
    return copy_to(fd, NEXT(dup)(fd), CALLER);
}

/* What `to` was for before is closed. */
static int replace(int from, int to, int flags, const void *pc)
{
    struct channel *old = from != to ? channel_find(to, pc) : NULL;
    if (old) {
        channel_enter_by(to, old, pc);
        channel_begin_closing(to, pc);
    } else {
        outside_use_file(to, true, pc);
    }
    outside_use(OUTSIDE_NAMES, true, pc);
    int result = flags < 0 ? NEXT(dup2)(from, to) : NEXT(dup3)(from, to, flags), error = errno;
    if (old && result >= 0)
        channel_unbind(to);
    copy_to(from, result, pc);
    if (old)
        channel_leave(old, CHANNEL_CHANGED, pc);
    errno = error;
    return result;
}

EXPORT int dup2(int from, int to)
{
    return replace(from, to, -1, CALLER);
}

EXPORT int dup3(int from, int to, int flags)
{
    return replace(from, to, flags & INT_MAX, CALLER);
}

/* ------------------------------------------------------------------ flags and the like */

/* A call of the kernel that does not wait and may change the channel. */
#define INSIDE(fd, pc, call)                            \
    ({                                                  \
        struct channel *inside = channel_find(fd, pc);  \
        if (inside)                                     \
            channel_enter_by(fd, inside, pc);           \
        __typeof__(call) answer = call;                 \
        int error = errno;                              \
        if (inside)                                     \
            channel_leave(inside, CHANNEL_CHANGED, pc); \
        errno = error;                                  \
        answer;                                         \
    })

/* Signals about a file come at any moment, from the system. */
static void check_control(int fd, int command, long argument, const void *pc)
{
    bool asks = command == F_SETOWN || command == F_SETOWN_EX || command == F_SETSIG;
    if (engine_active && (asks || (command == F_SETFL && argument & O_ASYNC && channel_find(fd, pc))))
        engine_give_up(pc, "signals about a file (fcntl)");
}

#define CONTROLS(name)                                                     \
    EXPORT int name(int fd, int command, ...)                              \
    {                                                                      \
        va_list rest;                                                      \
        va_start(rest, command);                                           \
        void *argument = va_arg(rest, void *);                             \
        va_end(rest);                                                      \
        check_control(fd, command, (long)argument, CALLER);                \
        if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)              \
            return copy_to(fd, NEXT(name)(fd, command, argument), CALLER); \
        return INSIDE(fd, CALLER, NEXT(name)(fd, command, argument));      \
    }

CONTROLS(fcntl)
CONTROLS(fcntl64)

static bool is_known_request(unsigned long request)
{
    return request == FIONBIO || request == FIONREAD || request == FIOCLEX || request == FIONCLEX;
}

EXPORT int ioctl(int fd, unsigned long request, ...)
{
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    if (channel_find(fd, CALLER) && !is_known_request(request))
        engine_give_up(CALLER, "ioctl of a pipe or the like with request %#lx", request);
    if (engine_active)
        undefined_forget(); /* what a request writes is its own affair */
    return INSIDE(fd, CALLER, NEXT(ioctl)(fd, request, argument));
}

EXPORT int shutdown(int fd, int how)
{
    return INSIDE(fd, CALLER, NEXT(shutdown)(fd, how));
}

static bool is_of_waiting(int level, int name)
{
    return level == SOL_SOCKET && (name == SO_RCVTIMEO || name == SO_SNDTIMEO || name == SO_RCVLOWAT ||
                                   name == SO_SNDLOWAT || name == SO_BUSY_POLL);
}

EXPORT int setsockopt(int fd, int level, int name, const void *value, socklen_t size)
{
    if (channel_find(fd, CALLER) && is_of_waiting(level, name))
        engine_give_up(CALLER, "setsockopt of limits for waiting");
    return INSIDE(fd, CALLER, NEXT(setsockopt)(fd, level, name, value, size));
}

EXPORT int getsockopt(int fd, int level, int name, void *restrict value, socklen_t *restrict size)
{
    socklen_t room = size ? *size : 0;
    if (!channel_find(fd, CALLER))
        outside_use_file(fd, true, CALLER);
    int result = INSIDE(fd, CALLER, NEXT(getsockopt)(fd, level, name, value, size));
    if (result == 0 && hook_is_watched(CALLER) && value)
        engine_plain_late((uint64_t)value, *size < room ? *size : room, CALLER);
    return result;
}
