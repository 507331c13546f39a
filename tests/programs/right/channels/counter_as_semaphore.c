/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* flags: -DPERMITS=1 -DFLAGS=EFD_SEMAPHORE */
/* note: each read takes one of what was posted */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/eventfd.h>

static int event;
static atomic_int inside;

static void *enter(void *unused)
{
    eventfd_t one;
    assert(eventfd_read(event, &one) == 0);
    assert(one == 1);
    assert(atomic_fetch_add(&inside, 1) < PERMITS);
    atomic_fetch_sub(&inside, 1);
    eventfd_write(event, 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    event = eventfd(1, FLAGS);
    pthread_create(&t, NULL, enter, NULL);
    enter(NULL);
    pthread_join(t, NULL);
    return 0;
}
