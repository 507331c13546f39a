/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a timer may fire before the event or after it; the loop ends in both cases */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int event;

static void *post(void *unused)
{
    eventfd_write(event, 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    uint64_t value;
    int watch = epoll_create1(0), timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK), seen = 0;
    struct itimerspec soon = {.it_value = {0, 1000000}};
    event = eventfd(0, EFD_NONBLOCK);
    epoll_ctl(watch, EPOLL_CTL_ADD, event, &(struct epoll_event){.events = EPOLLIN, .data.fd = event});
    epoll_ctl(watch, EPOLL_CTL_ADD, timer, &(struct epoll_event){.events = EPOLLIN, .data.fd = timer});
    timerfd_settime(timer, 0, &soon, NULL);
    pthread_create(&t, NULL, post, NULL);
#ifdef WRONG
    struct epoll_event first;
    epoll_wait(watch, &first, 1, -1);
    assert(first.data.fd == event);
#endif
    while (seen != 3) {
        struct epoll_event e[2];
        int count = epoll_wait(watch, e, 2, -1);
        assert(count > 0);
        for (int k = 0; k < count; k++) {
            assert(read(e[k].data.fd, &value, sizeof value) == sizeof value && value == 1);
            seen |= e[k].data.fd == event ? 1 : 2;
        }
    }
    assert(read(timer, &value, sizeof value) == -1);
    pthread_join(t, NULL);
    return 0;
}
