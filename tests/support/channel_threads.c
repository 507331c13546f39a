/* SPDX-License-Identifier: Apache-2.0 */
/* usage: channel_threads OUTPUT SEED
 * A program under test: two threads make a few random calls on two pipes, a counter and an epoll instance. What all of them returned is appended to
 * OUTPUT, one line for each execution that ends. tests/scripts/channels.sh compares explorations of graphs with all schedules. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

void outcome_write(const char *path, const char *text, long length);

enum { THREADS = 2, CALLS = 3, LINE = 400 };

static int a[2], b[2], counter, timer, watch;
static uint64_t state;
static struct program {
    unsigned calls[CALLS], values[CALLS];
    char line[LINE];
    size_t used;
} programs[THREADS];

static unsigned pick(unsigned ways)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % ways;
}

static void note(struct program *p, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    p->used += (size_t)vsnprintf(p->line + p->used, LINE - p->used, format, rest);
    va_end(rest);
}

static void note_result(struct program *p, const char *name, long result)
{
    note(p, " %s=%ld", name, result < 0 ? -(long)errno : result);
}

static void wait_for_events(struct program *p, int milliseconds)
{
    struct epoll_event list[2];
    int count = epoll_wait(watch, list, 2, milliseconds);
    note_result(p, "wait", count);
    for (int k = 0; k < count; k++)
        note(p, ":%u,%x", list[k].data.u32, list[k].events);
}

static void poll_both(struct program *p, int milliseconds)
{
    struct pollfd files[] = {{.fd = a[0], .events = POLLIN}, {.fd = b[0], .events = POLLIN}};
    note_result(p, "poll", poll(files, 2, milliseconds));
    note(p, ":%x,%x", (unsigned)files[0].revents, (unsigned)files[1].revents);
}

static void read_text(struct program *p, const char *name, int fd)
{
    char text[4] = {0};
    note_result(p, name, read(fd, text, sizeof text - 1));
    note(p, ":%s", text);
}

static void change_entry(struct program *p, int fd, unsigned value)
{
    static const uint32_t events[] = {EPOLLIN, EPOLLIN | EPOLLET, EPOLLIN | EPOLLONESHOT, EPOLLIN | EPOLLOUT};
    struct epoll_event e = {.events = events[value], .data.u32 = 7};
    note_result(p, "change", epoll_ctl(watch, value % 2 ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &e));
}

static void call(struct program *p, unsigned which, unsigned value)
{
    uint64_t number = 1 + value;
    switch (which) {
    case 0: note_result(p, "write-a", write(a[1], "x", 1)); break;
    case 1: note_result(p, "write-b", write(b[1], "yz", 2)); break;
    case 2: read_text(p, "read-a", a[0]); break;
    case 3: read_text(p, "read-b", b[0]); break;
    case 4: note_result(p, "add", write(counter, &number, sizeof number)); break;
    case 5:
        note_result(p, "take", read(counter, &number, sizeof number));
        note(p, ":%lu", (unsigned long)number);
        break;
    case 6: wait_for_events(p, value % 2 ? 10 : 0); break;
    case 7: poll_both(p, value % 2 ? 10 : 0); break;
    case 8: change_entry(p, value % 2 ? a[0] : b[0], value); break;
    case 9: note_result(p, "close", close(value % 2 ? a[1] : b[0])); break;
    case 10:
        note_result(p, "blocks", fcntl(value % 2 ? a[0] : counter, F_SETFL, value < 2 ? 0 : O_NONBLOCK));
        break;
    case 11: {
        struct itimerspec soon = {.it_value = {0, 5000000}};
        note_result(p, "timer", timerfd_settime(timer, 0, &soon, NULL));
        break;
    }
    default: {
        uint64_t times = 0;
        note_result(p, "times", read(timer, &times, sizeof times));
        note(p, ":%lu", (unsigned long)times);
    }
    }
}

static void *run(void *which)
{
    struct program *p = which;
    for (int k = 0; k < CALLS; k++)
        call(p, p->calls[k], p->values[k]);
    return NULL;
}

static void make_channels(void)
{
    struct epoll_event e = {.events = EPOLLIN | (pick(2) ? EPOLLET : 0), .data.u32 = 1};
    pipe2(a, O_NONBLOCK);
    socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, b);
    counter = eventfd(0, EFD_NONBLOCK | (pick(2) ? EFD_SEMAPHORE : 0));
    timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    watch = epoll_create1(0);
    epoll_ctl(watch, EPOLL_CTL_ADD, counter, &e);
    if (pick(2))
        epoll_ctl(watch, EPOLL_CTL_ADD, timer, &e);
    e.data.u32 = 2;
    if (pick(2))
        epoll_ctl(watch, EPOLL_CTL_ADD, a[0], &e);
}

int main(int argc, char **argv)
{
    char line[THREADS * LINE + 2];
    pthread_t t;
    if (argc != 3)
        return 2;
    state = strtoul(argv[2], NULL, 10) * UINT64_C(0x9e3779b97f4a7c15) + 7;
    signal(SIGPIPE, SIG_IGN);
    make_channels();
    for (int k = 0; k < THREADS * CALLS; k++) {
        programs[k / CALLS].calls[k % CALLS] = pick(13);
        programs[k / CALLS].values[k % CALLS] = pick(4);
    }
    pthread_create(&t, NULL, run, &programs[1]);
    run(&programs[0]);
    pthread_join(t, NULL);
    int length = snprintf(line, sizeof line, "%s |%s\n", programs[0].line, programs[1].line);
    outcome_write(argv[1], line, length);
    return 0;
}
