/* SPDX-License-Identifier: Apache-2.0 */
/* usage: channel_sequences OUTPUT FIRST COUNT
 * Random sequences of calls on pipes, pairs of sockets, counters, timers and epoll instances, one for each seed. A line for each is appended to
 * OUTPUT: what the calls returned. Natively one after the other; as a program under test (-DUNDER_TEST) each in executions of its own, which
 * differ by what main reads. tests/scripts/channels.sh compares the lines. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

void outcome_write(const char *path, const char *text, long length);

enum { FILES = 14, CALLS = 24, ROOM = 80000, LINE = 16000 };
enum kind { NOTHING, PIPE, PAIR, COUNTER, TIMER, WATCH };

static uint64_t state;
static struct file {
    enum kind kind;
    int fd;
} files[FILES];
static int file_count;
static char line[LINE], room[ROOM];
static size_t used;

static unsigned pick(unsigned ways)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % ways;
}

static void note(const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    if (used < LINE - 200)
        used += (size_t)vsnprintf(line + used, 200, format, rest);
    va_end(rest);
}

static void note_result(const char *name, int file, long result)
{
    note(" %s(%d)=%ld", name, file, result < 0 ? -(long)errno : result);
}

static unsigned checksum(const char *bytes, long size)
{
    unsigned sum = 1;
    for (long k = 0; k < size; k++)
        sum = sum * 31 + (unsigned char)bytes[k];
    return sum;
}

/* ------------------------------------------------------------------ making */

static void keep(enum kind kind, int fd)
{
    if (fd >= 0)
        files[file_count++] = (struct file){kind, fd};
}

static void make(void)
{
    int ends[2] = {-1, -1}, nonblocking = pick(3) ? O_NONBLOCK : 0;
    static const int types[] = {SOCK_STREAM, SOCK_STREAM, SOCK_SEQPACKET, SOCK_DGRAM};
    if (file_count + 2 > FILES)
        return;
    switch (pick(6)) {
    case 0:
    case 1:
        note_result("pipe", file_count, pipe2(ends, nonblocking));
        keep(PIPE, ends[0]);
        keep(PIPE, ends[1]);
        break;
    case 2:
        note_result("pair", file_count,
                    socketpair(AF_UNIX, types[pick(4)] | (nonblocking ? SOCK_NONBLOCK : 0), 0, ends));
        keep(PAIR, ends[0]);
        keep(PAIR, ends[1]);
        break;
    case 3:
        note(" counter(%d)", file_count);
        keep(COUNTER, eventfd(pick(3), (nonblocking ? EFD_NONBLOCK : 0) | (pick(2) ? EFD_SEMAPHORE : 0)));
        break;
    case 4:
        note(" timer(%d)", file_count);
        keep(TIMER, timerfd_create(CLOCK_MONOTONIC, nonblocking ? TFD_NONBLOCK : 0));
        break;
    default: note(" watch(%d)", file_count); keep(WATCH, epoll_create1(0));
    }
}

/* ------------------------------------------------------------------ calls on one */

/* Nothing here may wait: there is nobody to end it. */
static int is_safe(const struct file *f, short events)
{
    struct pollfd file = {.fd = f->fd, .events = events};
    int flags = fcntl(f->fd, F_GETFL);
    return flags < 0 || flags & O_NONBLOCK || f->kind == WATCH || (poll(&file, 1, 0) == 1 && file.revents);
}

static void read_some(int k)
{
    static const size_t sizes[] = {0, 1, 7, 8, 100, 4096, 5000, 70000};
    size_t size = sizes[pick(8)];
    if (!is_safe(&files[k], POLLIN) || files[k].kind == WATCH)
        return;
    ssize_t got = read(files[k].fd, room, size);
    note_result("read", k, got);
    note(":%x", checksum(room, got));
}

static void fill(size_t size)
{
    for (size_t k = 0; k < size; k++)
        room[k] = (char)(pick(2) + k);
}

static void write_some(int k)
{
    static const size_t sizes[] = {0, 1, 8, 100, 4095, 4096, 5000, 66000};
    size_t size = sizes[pick(8)];
    int flags = fcntl(files[k].fd, F_GETFL);
    if (!is_safe(&files[k], POLLOUT) || files[k].kind == WATCH)
        return;
    if (flags >= 0 && !(flags & O_NONBLOCK) && size > 4096)
        size = 64;
    if (files[k].kind == COUNTER || files[k].kind == TIMER) {
        uint64_t value = flags & O_NONBLOCK && pick(3) == 0 ? UINT64_MAX - 1 - pick(2) : pick(3);
        note_result("add", k, write(files[k].fd, &value, sizeof value));
        return;
    }
    fill(size);
    note_result("write", k, write(files[k].fd, room, size));
}

static void read_parts(int k)
{
    struct iovec parts[] = {{room, 3}, {room + 100, pick(2) ? 0 : 50}, {room + 200, 4000}};
    if (!is_safe(&files[k], POLLIN) || files[k].kind == WATCH)
        return;
    memset(room, 0, 4300);
    note_result("readv", k, readv(files[k].fd, parts, 3));
    note(":%x", checksum(room, 4200));
}

static void write_parts(int k)
{
    struct iovec parts[] = {{room, 3}, {room + 100, 5}};
    if (!is_safe(&files[k], POLLOUT) || files[k].kind == WATCH || files[k].kind == COUNTER)
        return;
    note_result("writev", k, writev(files[k].fd, parts, 2));
}

static void use_socket(int k)
{
    struct iovec part = {room, 64};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    int value = 0, dont = pick(2) ? MSG_DONTWAIT : 0;
    socklen_t size = sizeof value;
    unsigned reads = pick(2);
    if (!dont && !is_safe(&files[k], reads ? POLLIN : POLLOUT))
        return;
    switch (pick(6)) {
    case 0:
    case 1:
        if (reads)
            note_result("recv", k, recv(files[k].fd, room, 50, dont | (pick(2) ? MSG_PEEK : 0)));
        else
            note_result("send", k, send(files[k].fd, room, pick(2) ? 20 : 300, dont | MSG_NOSIGNAL));
        break;
    case 2:
        if (reads)
            note_result("recvmsg", k, recvmsg(files[k].fd, &message, dont));
        else
            note_result("sendmsg", k, sendmsg(files[k].fd, &message, dont | MSG_NOSIGNAL));
        note(":%x", (unsigned)message.msg_flags);
        break;
    case 3: note_result("shutdown", k, shutdown(files[k].fd, pick(3) ? SHUT_WR : SHUT_RD)); break;
    case 4:
        note_result("option", k, getsockopt(files[k].fd, SOL_SOCKET, SO_TYPE, &value, &size));
        note(":%d", value);
        break;
    default: note_result("accept", k, accept(files[k].fd, NULL, NULL));
    }
}

static void control(int k)
{
    int count = -1, flags = fcntl(files[k].fd, F_GETFL);
    switch (pick(5)) {
    case 0: note_result("setfl", k, fcntl(files[k].fd, F_SETFL, flags ^ O_NONBLOCK)); break;
    case 1: note_result("getfl", k, fcntl(files[k].fd, F_GETFL)); break;
    case 2:
        note_result("fionread", k, files[k].kind == PIPE ? ioctl(files[k].fd, FIONREAD, &count) : 0);
        note(":%d", count);
        break;
    case 3: note_result("size", k, fcntl(files[k].fd, F_SETPIPE_SZ, 4096 << pick(3))); break;
    default: count = (int)pick(2); note_result("fionbio", k, ioctl(files[k].fd, FIONBIO, &count));
    }
}

static void use_timer(int k)
{
    struct itimerspec value = {.it_value = {0, pick(3) ? 1000 : 0}}, old;
    if (pick(3) == 0) {
        note_result("gettime", k, timerfd_gettime(files[k].fd, &value));
        return;
    }
    note_result("settime", k, timerfd_settime(files[k].fd, 0, &value, &old));
    usleep(2000); /* it has fired then, natively and here */
}

static void close_or_copy(int k)
{
    int other = (int)pick((unsigned)file_count), copy;
    switch (pick(4)) {
    case 0:
        if (file_count < FILES) {
            copy = pick(2) ? dup(files[k].fd) : fcntl(files[k].fd, F_DUPFD_CLOEXEC, 3);
            note_result("dup", k, copy < 0 ? copy : 0);
            keep(files[k].kind, copy);
        }
        break;
    case 1:
        if (files[other].fd >= 0 && files[k].kind != WATCH && files[other].kind != WATCH && k != other) {
            copy = dup2(files[k].fd, files[other].fd);
            note_result("dup2", k, copy < 0 ? copy : 0);
            note(":%d", other);
            if (copy >= 0)
                files[other].kind = files[k].kind;
        }
        break;
    default: /* the number may be used again, by what is made next: then it is that */
        note_result("close", k, close(files[k].fd));
        files[k] = files[--file_count];
    }
}

/* ------------------------------------------------------------------ calls on several */

static void poll_some(void)
{
    static const short events[] = {
        POLLIN, POLLOUT, POLLIN | POLLOUT, 0, POLLRDHUP | POLLPRI, POLLRDNORM | POLLWRNORM};
    struct pollfd list[4];
    unsigned count = 1 + pick(4);
    for (unsigned k = 0; k < count; k++)
        list[k] = (struct pollfd){.fd = files[pick((unsigned)file_count)].fd, .events = events[pick(6)]};
    note_result("poll", (int)count, poll(list, count, (int)pick(2)));
    for (unsigned k = 0; k < count; k++)
        note(":%x", (unsigned)list[k].revents);
}

static void select_some(void)
{
    fd_set sets[3];
    struct timeval span = {0, pick(2) ? 0 : 100};
    int most = 0;
    for (int s = 0; s < 3; s++)
        FD_ZERO(&sets[s]);
    for (int k = 0; k < file_count; k++)
        for (int s = 0; s < 3; s++)
            if (pick(2) && (s == 0 || files[k].kind != TIMER)) {
                FD_SET(files[k].fd, &sets[s]);
                most = files[k].fd > most ? files[k].fd : most;
            }
    note_result("select", 0, select(most + 1, &sets[0], &sets[1], &sets[2], &span));
    for (int k = 0; k < file_count; k++)
        note("%d%d%d", FD_ISSET(files[k].fd, &sets[0]) != 0, FD_ISSET(files[k].fd, &sets[1]) != 0,
             FD_ISSET(files[k].fd, &sets[2]) != 0);
}

static void change_watch(int k)
{
    static const int operations[] = {EPOLL_CTL_ADD, EPOLL_CTL_ADD, EPOLL_CTL_ADD, EPOLL_CTL_MOD,
                                     EPOLL_CTL_DEL};
    int other = (int)pick((unsigned)file_count), operation = operations[pick(5)];
    struct epoll_event e = {.events = EPOLLIN, .data.u32 = (uint32_t)other};
    e.events |= pick(2) ? EPOLLOUT : 0;
    e.events |= pick(2) ? EPOLLET : 0;
    e.events |= pick(4) ? 0 : EPOLLONESHOT;
    e.events |= pick(4) ? 0 : EPOLLRDHUP;
    if (files[other].kind == WATCH && k != other)
        return;
    note_result("ctl", k, epoll_ctl(files[k].fd, operation, files[other].fd, &e));
    note(":%d,%d,%x", operation, other, e.events);
}

static void wait_for_watch(int k)
{
    struct epoll_event list[4];
    int count = epoll_wait(files[k].fd, list, 1 + (int)pick(4), (int)pick(2));
    note_result("wait", k, count);
    for (int e = 0; e < count; e++)
        note(":%u,%x", list[e].data.u32, list[e].events);
}

static void use_watch(int k)
{
    if (pick(2))
        change_watch(k);
    else
        wait_for_watch(k);
}

static void call(void)
{
    if (file_count < 2 || pick(7) == 0) {
        make();
        return;
    }
    int k = (int)pick((unsigned)file_count);
    switch (pick(10)) {
    case 0: poll_some(); break;
    case 1: select_some(); break;
    case 2: control(k); break;
    case 3: close_or_copy(k); break;
    case 4:
    case 5: (pick(4) ? read_some : read_parts)(k); break;
    case 6:
    case 7: (pick(4) ? write_some : write_parts)(k); break;
    default:
        for (int other = 0; other < file_count && files[k].kind != WATCH; other++)
            k = files[other].kind == WATCH ? other : k;
        if (files[k].kind == WATCH)
            use_watch(k);
        else if (files[k].kind == TIMER)
            use_timer(k);
        else if (files[k].kind == PAIR)
            use_socket(k);
    }
}

static void run_sequence(const char *output, unsigned seed)
{
    state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    used = 0;
    file_count = 0;
    memset(room, 0, sizeof room);
    note("%u:", seed);
    for (int k = 0; k < CALLS; k++)
        call();
    note("\n");
    outcome_write(output, line, (long)used);
    for (int k = 0; k < file_count; k++)
        close(files[k].fd);
}

#ifdef UNDER_TEST
static atomic_uint seed;
static unsigned count;

static void *change_seed(void *unused)
{
    for (unsigned k = 1; k < count; k++)
        atomic_store_explicit(&seed, k, memory_order_relaxed);
    return unused;
}

static void run_all(const char *output, unsigned first)
{
    pthread_t t;
    pthread_create(&t, NULL, change_seed, NULL);
    unsigned found = atomic_load_explicit(&seed, memory_order_relaxed);
    run_sequence(output, first + found);
    pthread_join(t, NULL);
}
#else
static unsigned count;

static void run_all(const char *output, unsigned first)
{
    for (unsigned k = 0; k < count; k++)
        run_sequence(output, first + k);
}
#endif

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    signal(SIGPIPE, SIG_IGN);
    count = (unsigned)atoi(argv[3]);
    run_all(argv[1], (unsigned)atoi(argv[2]));
    return 0;
}
