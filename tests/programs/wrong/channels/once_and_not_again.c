/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* note: EPOLLONESHOT: the entry has to be set again after each event */
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

static int event;

static void *post(void *unused)
{
    eventfd_write(event, 1);
    eventfd_write(event, 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    eventfd_t value;
    int watch = epoll_create1(0);
    struct epoll_event e = {.events = EPOLLIN | EPOLLONESHOT};
    event = eventfd(0, 0);
    epoll_ctl(watch, EPOLL_CTL_ADD, event, &e);
    pthread_create(&t, NULL, post, NULL);
    for (unsigned got = 0; got < 2; got += value) {
        epoll_wait(watch, &e, 1, -1);
        eventfd_read(event, &value);
    }
    pthread_join(t, NULL);
    return 0;
}
