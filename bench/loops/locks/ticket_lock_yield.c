/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: race */
/* wrong-sc: holds */
/* wrong-tso: holds */
/* note: three threads, waiting in proportion to their place in the queue */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#ifdef WRONG
#define NEXT memory_order_relaxed
#else
#define NEXT memory_order_release
#endif

static atomic_uint next_ticket, serving;
static int counter;

static void lock(void)
{
    unsigned mine = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
    for (;;) {
        unsigned now = atomic_load_explicit(&serving, memory_order_acquire);
        if (now == mine)
            return;
        for (unsigned i = mine - now; i > 0; i--)
            sched_yield();
    }
}

static void unlock(void)
{
    unsigned now = atomic_load_explicit(&serving, memory_order_relaxed);
    atomic_store_explicit(&serving, now + 1, NEXT);
}

static void *run(void *arg)
{
    lock();
    counter++;
    unlock();
    return arg;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 3);
    return 0;
}
