/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the flag is taken after the counter was drained, so no send is lost */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int watch, event;
static atomic_int pending, work, done;

static void *send_twice(void *unused)
{
    for (int k = 0; k < 2; k++) {
        atomic_fetch_add(&work, 1);
        if (atomic_exchange(&pending, 1) == 0)
            assert(eventfd_write(event, 1) == 0);
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    struct epoll_event e = {.events = EPOLLIN};
    watch = epoll_create1(0);
    event = eventfd(0, EFD_NONBLOCK);
    assert(epoll_ctl(watch, EPOLL_CTL_ADD, event, &e) == 0);
    pthread_create(&t, NULL, send_twice, NULL);
    while (done < 2) {
        eventfd_t value;
        assert(epoll_wait(watch, &e, 1, -1) == 1);
        assert(eventfd_read(event, &value) == 0);
#ifdef WRONG
        if (atomic_load(&pending) == 0)
            continue;
        done += atomic_exchange(&work, 0);
        atomic_store(&pending, 0);
#else
        if (atomic_exchange(&pending, 0) == 0)
            continue;
        done += atomic_exchange(&work, 0);
#endif
    }
    pthread_join(t, NULL);
    return 0;
}
