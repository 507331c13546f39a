/* SPDX-License-Identifier: Apache-2.0 */
#define __NO_INLINE__ 1 /* or headers define some of these functions themselves */

#include "rt/system/system_parts.h"

#include "rt/hook.h"
#include "rt/system/outside.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/* Output of the program: it is not read here, and the tool always takes it. */
static bool is_output(int fd)
{
    return fd == STDOUT_FILENO || fd == STDERR_FILENO;
}

/* Others may go first. Then: would the call wait? */
static void before_call(const char *name, int fd, short events, bool waits, const void *pc)
{
    struct pollfd file = {.fd = fd, .events = events};
    outside_use_file(fd, true, pc);
    if (waits && NEXT(poll)(&file, 1, 0) == 0 && !(fcntl(fd, F_GETFL) & O_NONBLOCK))
        engine_give_up(pc, "%s that waits", name);
}

/* What the system has put into the program's memory. */
static void wrote(const void *to, ssize_t size, const void *pc)
{
    if (to && size > 0 && hook_is_watched(pc))
        engine_plain_late((uint64_t)to, (size_t)size, pc);
}

static void wrote_parts(const struct iovec *parts, size_t count, ssize_t size, const void *pc)
{
    for (size_t k = 0; k < count && size > 0; k++) {
        ssize_t part = (ssize_t)parts[k].iov_len < size ? (ssize_t)parts[k].iov_len : size;
        wrote(parts[k].iov_base, part, pc);
        size -= part;
    }
}

static ssize_t least(size_t a, size_t b)
{
    return (ssize_t)(a < b ? a : b);
}

/* Sizes that are returned may be larger than the room that there was. */
static void wrote_text(const void *to, ssize_t size, size_t room, const void *pc)
{
    wrote(to, size < 0 ? size : least((size_t)size, room), pc);
}

static void wrote_address(const void *to, const socklen_t *size, socklen_t room, ssize_t result,
                          const void *pc)
{
    if (result < 0 || !to || !size)
        return;
    wrote(size, sizeof *size, pc);
    wrote(to, least(*size, room), pc);
}

static void wrote_message(const struct msghdr *m, socklen_t room, ssize_t size, const void *pc)
{
    if (size < 0)
        return;
    wrote(m, sizeof *m, pc);
    wrote(m->msg_name, least(m->msg_namelen, room), pc);
    wrote(m->msg_control, (ssize_t)m->msg_controllen, pc);
    wrote_parts(m->msg_iov, m->msg_iovlen, size, pc);
}

/* `given`: the room for an address, as `room_given` in `writes` */
#define READS(type, name, parameters, arguments, fd, flags, given, writes)   \
    EXPORT type name parameters                                              \
    {                                                                        \
        socklen_t room_given = given;                                        \
        if (engine_active)                                                   \
            before_call(#name, fd, POLLIN, !((flags)&MSG_DONTWAIT), CALLER); \
        type result = NEXT(name) arguments;                                  \
        (void)room_given;                                                    \
        writes;                                                              \
        return result;                                                       \
    }

#define WRITES(type, name, parameters, arguments, fd, flags)                  \
    EXPORT type name parameters                                               \
    {                                                                         \
        if (engine_active && !is_output(fd))                                  \
            before_call(#name, fd, POLLOUT, !((flags)&MSG_DONTWAIT), CALLER); \
        return NEXT(name) arguments;                                          \
    }

static ssize_t read_file(int fd, void *to, size_t size, const void *pc)
{
    if (engine_active && chance_is_device(fd)) {
        chance_fill(to, size, pc);
        return (ssize_t)size;
    }
    if (engine_active)
        before_call("read", fd, POLLIN, true, pc);
    ssize_t result = NEXT(read)(fd, to, size);
    wrote(to, result, pc);
    return result;
}

EXPORT ssize_t read(int fd, void *to, size_t size)
{
    return read_file(fd, to, size, CALLER);
}

READS(ssize_t, readv, (int fd, const struct iovec *parts, int count), (fd, parts, count), fd, 0, 0,
      wrote_parts(parts, (size_t)count, result, CALLER))
READS(ssize_t, recv, (int fd, void *to, size_t size, int flags), (fd, to, size, flags), fd, flags, 0,
      wrote_text(to, result, size, CALLER))
READS(ssize_t, recvfrom, (int fd, void *to, size_t size, int flags, struct sockaddr *from, socklen_t *length),
      (fd, to, size, flags, from, length), fd, flags, length ? *length : 0,
      (wrote_text(to, result, size, CALLER), wrote_address(from, length, room_given, result, CALLER)))
READS(ssize_t, recvmsg, (int fd, struct msghdr *message, int flags), (fd, message, flags), fd, flags,
      message->msg_namelen, wrote_message(message, room_given, result, CALLER))
READS(int, accept, (int fd, struct sockaddr *from, socklen_t *length), (fd, from, length), fd, 0,
      length ? *length : 0, wrote_address(from, length, room_given, result, CALLER))
READS(int, accept4, (int fd, struct sockaddr *from, socklen_t *length, int flags), (fd, from, length, flags),
      fd, 0, length ? *length : 0, wrote_address(from, length, room_given, result, CALLER))

WRITES(ssize_t, write, (int fd, const void *from, size_t size), (fd, from, size), fd, 0)
WRITES(ssize_t, writev, (int fd, const struct iovec *parts, int count), (fd, parts, count), fd, 0)
WRITES(ssize_t, send, (int fd, const void *from, size_t size, int flags), (fd, from, size, flags), fd, flags)
WRITES(ssize_t, sendto,
       (int fd, const void *from, size_t size, int flags, const struct sockaddr *to, socklen_t length),
       (fd, from, size, flags, to, length), fd, flags)
WRITES(ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags), (fd, message, flags), fd, flags)

/* What programs call when they are compiled with _FORTIFY_SOURCE. */
ssize_t __recv_chk(int fd, void *to, size_t size, size_t room, int flags);
ssize_t __recvfrom_chk(int fd, void *to, size_t size, size_t room, int flags, struct sockaddr *from,
                       socklen_t *length);
EXPORT ssize_t __read_chk(int fd, void *to, size_t size, size_t room)
{
    if (size <= room)
        return read(fd, to, size);
    return NEXT(__read_chk)(fd, to, size, room); /* which ends the program */
}
READS(ssize_t, __recv_chk, (int fd, void *to, size_t size, size_t room, int flags),
      (fd, to, size, room, flags), fd, flags, 0, wrote_text(to, result, size, CALLER))
READS(ssize_t, __recvfrom_chk,
      (int fd, void *to, size_t size, size_t room, int flags, struct sockaddr *from, socklen_t *length),
      (fd, to, size, room, flags, from, length), fd, flags, length ? *length : 0,
      (wrote_text(to, result, size, CALLER), wrote_address(from, length, room_given, result, CALLER)))

/* ------------------------------------------------------------------ several files */

static int ready(const char *name, int count, bool waits, const void *pc)
{
    if (count == 0 && waits)
        engine_give_up(pc, "%s that waits", name);
    return count;
}

int blocking_poll(struct pollfd *list, nfds_t count, bool waits, const void *pc)
{
    outside_use_pipes(pc);
    return ready("poll", NEXT(poll)(list, count, 0), waits, pc);
}

int blocking_select(int count, fd_set **sets, bool waits, const void *pc)
{
    outside_use_pipes(pc);
    return ready("select", NEXT(select)(count, sets[0], sets[1], sets[2], &(struct timeval){0}), waits, pc);
}

REPLACE_BY(int, epoll_wait, (fd, events, room, milliseconds), int fd, struct epoll_event *events, int room,
           int milliseconds)
{
    outside_use_pipes(CALLER);
    int count = ready("epoll_wait", NEXT(epoll_wait)(fd, events, room, 0), milliseconds != 0, CALLER);
    wrote(events, count * (ssize_t)sizeof *events, CALLER);
    return count;
}

REPLACE_BY(int, epoll_pwait, (fd, events, room, milliseconds, signals), int fd, struct epoll_event *events,
           int room, int milliseconds, const sigset_t *signals)
{
    outside_use_pipes(CALLER);
    int count =
        ready("epoll_pwait", NEXT(epoll_pwait)(fd, events, room, 0, signals), milliseconds != 0, CALLER);
    wrote(events, count * (ssize_t)sizeof *events, CALLER);
    return count;
}

/* ------------------------------------------------------------------ signals */

REFUSE(int, pause, (), "pause", void)
REFUSE(int, sigsuspend, (signals), "sigsuspend", const sigset_t *signals)
REFUSE(int, sigwait, (signals, number), "sigwait", const sigset_t *signals, int *number)
REFUSE(int, sigwaitinfo, (signals, info), "sigwaitinfo", const sigset_t *signals, siginfo_t *info)
REFUSE(int, sigtimedwait, (signals, info, limit), "sigtimedwait", const sigset_t *signals, siginfo_t *info,
       const struct timespec *limit)

/* ------------------------------------------------------------------ eventfd */

/* The C library's own would wait in the kernel. */
EXPORT int eventfd_read(int fd, eventfd_t *value)
{
    return read_file(fd, value, sizeof *value, CALLER) == sizeof *value ? 0 : -1;
}

EXPORT int eventfd_write(int fd, eventfd_t value)
{
    if (engine_active)
        before_call("eventfd_write", fd, POLLOUT, true, CALLER);
    return NEXT(write)(fd, &value, sizeof value) == sizeof value ? 0 : -1;
}
