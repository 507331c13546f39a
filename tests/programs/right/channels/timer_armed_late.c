/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the loop waits without a limit when another thread arms the timer, and wakes when it fires */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int timer;

static void *arm(void *unused)
{
    struct itimerspec soon = {.it_value = {1, 0}};
    assert(timerfd_settime(timer, 0, &soon, NULL) == 0);
    return unused;
}

int main(void)
{
    pthread_t t;
    uint64_t times = 0;
    int watch = epoll_create1(0);
    struct epoll_event e = {.events = EPOLLIN};
    timer = timerfd_create(CLOCK_MONOTONIC, 0);
    epoll_ctl(watch, EPOLL_CTL_ADD, timer, &e);
    pthread_create(&t, NULL, arm, NULL);
    assert(epoll_wait(watch, &e, 1, -1) == 1 && e.events == EPOLLIN);
    assert(read(timer, &times, sizeof times) == sizeof times && times == 1);
    pthread_join(t, NULL);
    return 0;
}
