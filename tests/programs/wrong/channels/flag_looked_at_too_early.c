/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* rc11: violated deadlock */
/* tso: violated deadlock */
/* note: a sender that finds the flag set need not post, but its store may still be in the buffer then: it has to be an update, or the look has to
 * be one */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

static int watch, event;
static atomic_int pending, work;

static void post(void)
{
    if (atomic_load_explicit(&pending, memory_order_relaxed))
        return;
    if (atomic_exchange_explicit(&pending, 1, memory_order_relaxed) == 0)
        eventfd_write(event, 1);
}

static void *send_twice(void *unused)
{
    for (int k = 1; k <= 2; k++) {
#ifdef RIGHT
        atomic_exchange(&work, k);
#else
        atomic_store_explicit(&work, k, memory_order_release);
#endif
        post();
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    eventfd_t value;
    struct epoll_event e = {.events = EPOLLIN};
    watch = epoll_create1(0);
    event = eventfd(0, EFD_NONBLOCK);
    epoll_ctl(watch, EPOLL_CTL_ADD, event, &e);
    pthread_create(&t, NULL, send_twice, NULL);
    for (int done = 0; done < 2;) {
        epoll_wait(watch, &e, 1, -1);
        eventfd_read(event, &value);
        if (atomic_fetch_and(&pending, 0))
            done = atomic_fetch_add(&work, 0);
    }
    pthread_join(t, NULL);
    return 0;
}
