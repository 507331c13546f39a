/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: the second store is after the post that announces both */
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

static int event, first, second;

static void *publish(void *unused)
{
    first = 1;
    eventfd_write(event, 1);
    second = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    int watch = epoll_create1(0), sum = 0;
    struct epoll_event e = {.events = EPOLLIN};
    event = eventfd(0, 0);
    epoll_ctl(watch, EPOLL_CTL_ADD, event, &e);
    pthread_create(&t, NULL, publish, NULL);
    if (epoll_wait(watch, &e, 1, -1) == 1)
        sum = first + second;
    pthread_join(t, NULL);
    return sum > 2;
}
