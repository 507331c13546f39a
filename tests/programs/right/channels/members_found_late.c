/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a counter comes into the epoll instance when both threads have used them apart */
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int event, watch;

static void *post(void *unused)
{
    assert(eventfd_write(event, 2) == 0);
    return unused;
}

int main(void)
{
    pthread_t t;
    eventfd_t value = 0;
    struct epoll_event e = {.events = EPOLLIN, .data.u32 = 5};
    event = eventfd(1, EFD_SEMAPHORE);
    watch = epoll_create1(0);
    pthread_create(&t, NULL, post, NULL);
    assert(eventfd_read(event, &value) == 0 && value == 1);
    assert(epoll_ctl(watch, EPOLL_CTL_ADD, event, &e) == 0);
    for (int k = 0; k < 2; k++) {
        e.data.u32 = 0;
        assert(epoll_wait(watch, &e, 1, -1) == 1 && e.data.u32 == 5);
        assert(eventfd_read(event, &value) == 0 && value == 1);
    }
    pthread_join(t, NULL);
    assert(epoll_wait(watch, &e, 1, 0) == 0);
    return 0;
}
