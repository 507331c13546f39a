/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: rounds that look in vain, or whose time is over, change nothing: the loops end */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int event, watch;
static atomic_int stop;

static void *end(void *unused)
{
    atomic_store(&stop, 1);
#ifndef WRONG
    eventfd_write(event, 1);
#endif
    return unused;
}

int main(void)
{
    pthread_t t;
    eventfd_t value;
    struct epoll_event e = {.events = EPOLLIN}, list[2];
    event = eventfd(0, EFD_NONBLOCK);
    watch = epoll_create1(0);
    epoll_ctl(watch, EPOLL_CTL_ADD, event, &e);
    pthread_create(&t, NULL, end, NULL);
    while (!atomic_load(&stop)) {
        struct pollfd file = {.fd = event, .events = POLLIN};
        poll(&file, 1, 10);
        epoll_wait(watch, list, 2, 10);
    }
    while (eventfd_read(event, &value) < 0)
        ;
    assert(value == 1);
    pthread_join(t, NULL);
    return 0;
}
