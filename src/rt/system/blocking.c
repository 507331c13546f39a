/* SPDX-License-Identifier: Apache-2.0 */
#define __NO_INLINE__ 1 /* or headers define some of these functions themselves */

#include "rt/system/system_parts.h"

#include "rt/channels/channels.h"
#include "rt/hook.h"
#include "rt/system/outside.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/* Output of the program: it is not read here, and the tool always takes it. */
static bool is_output(int fd)
{
    return fd == STDOUT_FILENO || fd == STDERR_FILENO;
}

/* Others may go first. Then: would the call wait, where nothing in this process could end that? */
static void begin_call(struct channel_use *u, const char *name, int fd, short events, bool waits,
                       const void *pc)
{
    struct pollfd file = {.fd = fd, .events = events};
    *u = (struct channel_use){0};
    if (!engine_active || channel_begin(u, name, fd, events, waits, pc))
        return;
    engine_note_effect();
    outside_use_file(fd, true, pc);
    if (waits && NEXT(poll)(&file, 1, 0) == 0 && !(NEXT(fcntl)(fd, F_GETFL) & O_NONBLOCK))
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

static void refuse_flags(const struct channel_use *u, int flags, const void *pc)
{
    if (u->waits && flags & MSG_WAITALL)
        engine_give_up(pc, "%s with MSG_WAITALL", u->name);
}

/* `given`: the room for an address, as `room_given` in `writes` */
#define READS(type, name, parameters, arguments, fd, flags, given, writes)    \
    EXPORT type name parameters                                               \
    {                                                                         \
        socklen_t room_given = given;                                         \
        struct channel_use use;                                               \
        type result;                                                          \
        begin_call(&use, #name, fd, POLLIN, !((flags)&MSG_DONTWAIT), CALLER); \
        refuse_flags(&use, flags, CALLER);                                    \
        do                                                                    \
            result = NEXT(name) arguments;                                    \
        while (channel_again(&use, result, 0));                               \
        (void)room_given;                                                     \
        writes;                                                               \
        channel_end(&use, result);                                            \
        return result;                                                        \
    }

static ssize_t read_file(int fd, void *to, size_t size, const void *pc)
{
    struct channel_use use;
    ssize_t result;
    if (engine_active && chance_is_device(fd)) {
        engine_note_effect();
        chance_fill(to, size, pc);
        return (ssize_t)size;
    }
    begin_call(&use, "read", fd, POLLIN, true, pc);
    do
        result = NEXT(read)(fd, to, size);
    while (channel_again(&use, result, 0));
    wrote(to, result, pc);
    channel_end(&use, result);
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
ssize_t __recv(int fd, void *to, size_t size, int flags);
READS(ssize_t, __recv, (int fd, void *to, size_t size, int flags), (fd, to, size, flags), fd, flags, 0,
      wrote_text(to, result, size, CALLER))
READS(ssize_t, recvfrom, (int fd, void *to, size_t size, int flags, struct sockaddr *from, socklen_t *length),
      (fd, to, size, flags, from, length), fd, flags, length ? *length : 0,
      (wrote_text(to, result, size, CALLER), wrote_address(from, length, room_given, result, CALLER)))
READS(int, accept, (int fd, struct sockaddr *from, socklen_t *length), (fd, from, length), fd, 0,
      length ? *length : 0, wrote_address(from, length, room_given, result, CALLER))
READS(int, accept4, (int fd, struct sockaddr *from, socklen_t *length, int flags), (fd, from, length, flags),
      fd, 0, length ? *length : 0, wrote_address(from, length, room_given, result, CALLER))

/* For the kernel it is a counter, which can be written: not with one byte. */
static bool is_timer(const struct channel_use *u)
{
    return u->channel && u->channel->kind == CHANNEL_TIMER;
}

/* Those that wait go on where they were. */
static ssize_t write_file(const char *name, int fd, const char *from, size_t size, const void *pc)
{
    struct channel_use use;
    ssize_t result;
    if (engine_active && is_output(fd))
        return NEXT(write)(fd, from, size);
    begin_call(&use, name, fd, POLLOUT, true, pc);
    size = is_timer(&use) ? 1 : size;
    do
        result = NEXT(write)(fd, from + use.done, size - use.done);
    while (channel_again(&use, result, size));
    channel_end(&use, result);
    return use.done ? (ssize_t)use.done : result;
}

EXPORT ssize_t write(int fd, const void *from, size_t size)
{
    return write_file("write", fd, from, size, CALLER);
}

static ssize_t send_bytes(const char *name, int fd, const char *from, size_t size, int flags,
                          const struct sockaddr *to, socklen_t length, const void *pc)
{
    struct channel_use use;
    ssize_t result;
    begin_call(&use, name, fd, POLLOUT, !(flags & MSG_DONTWAIT), pc);
    do
        result = NEXT(sendto)(fd, from + use.done, size - use.done, flags, to, length);
    while (channel_again(&use, result, size));
    channel_end(&use, result);
    return use.done ? (ssize_t)use.done : result;
}

EXPORT ssize_t send(int fd, const void *from, size_t size, int flags)
{
    return send_bytes("send", fd, from, size, flags, NULL, 0, CALLER);
}

ssize_t __send(int fd, const void *from, size_t size, int flags); /* as the C library has it, too */
EXPORT ssize_t __send(int fd, const void *from, size_t size, int flags)
{
    return send_bytes("send", fd, from, size, flags, NULL, 0, CALLER);
}

EXPORT ssize_t sendto(int fd, const void *from, size_t size, int flags, const struct sockaddr *to,
                      socklen_t length)
{
    return send_bytes("sendto", fd, from, size, flags, to, length, CALLER);
}

static size_t size_of_parts(const struct iovec *parts, size_t count)
{
    size_t size = 0;
    for (size_t k = 0; k < count; k++)
        size += parts[k].iov_len;
    return size;
}

/* The rest would be in the middle of a part. */
static void refuse_rest(const struct channel_use *u, const char *name, ssize_t result, size_t size,
                        const void *pc)
{
    if (u->waits && result > 0 && (size_t)result < size)
        engine_give_up(pc, "%s that waits for room for the rest", name);
}

EXPORT ssize_t writev(int fd, const struct iovec *parts, int count)
{
    struct channel_use use;
    ssize_t result;
    size_t size = engine_active && count > 0 ? size_of_parts(parts, (size_t)count) : 0;
    if (engine_active && is_output(fd))
        return NEXT(writev)(fd, parts, count);
    begin_call(&use, "writev", fd, POLLOUT, true, CALLER);
    do {
        result = is_timer(&use) ? NEXT(write)(fd, parts, 1) : NEXT(writev)(fd, parts, count);
        refuse_rest(&use, "writev", result, size, CALLER);
    } while (channel_again(&use, result, size));
    channel_end(&use, result);
    return result;
}

/* Descriptors that are sent would be known by other numbers there. */
static void refuse_control(const struct channel_use *u, const struct msghdr *message, const void *pc)
{
    if (u->channel && message->msg_control && message->msg_controllen)
        engine_give_up(pc, "%s with ancillary data", u->name);
}

EXPORT ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    struct channel_use use;
    ssize_t result;
    size_t size = engine_active ? size_of_parts(message->msg_iov, message->msg_iovlen) : 0;
    begin_call(&use, "sendmsg", fd, POLLOUT, !(flags & MSG_DONTWAIT), CALLER);
    refuse_control(&use, message, CALLER);
    do {
        result = NEXT(sendmsg)(fd, message, flags);
        refuse_rest(&use, "sendmsg", result, size, CALLER);
    } while (channel_again(&use, result, size));
    channel_end(&use, result);
    return result;
}

EXPORT ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
    struct channel_use use;
    ssize_t result;
    socklen_t room = engine_active ? message->msg_namelen : 0;
    begin_call(&use, "recvmsg", fd, POLLIN, !(flags & MSG_DONTWAIT), CALLER);
    refuse_control(&use, message, CALLER);
    refuse_flags(&use, flags, CALLER);
    do
        result = NEXT(recvmsg)(fd, message, flags);
    while (channel_again(&use, result, 0));
    wrote_message(message, room, result, CALLER);
    channel_end(&use, result);
    return result;
}

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
    return write_file("eventfd_write", fd, (const char *)&value, sizeof value, CALLER) == sizeof value ? 0
                                                                                                       : -1;
}
