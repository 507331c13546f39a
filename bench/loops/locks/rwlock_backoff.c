/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: race|assert */
/* note: readers count up, a writer needs zero; both yield; wrong: a reader that finds a writer does not start again */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { WRITER = 1 << 20 };

static atomic_int state;
static int pair[2];

static void read_lock(void)
{
    for (;;) {
        if (atomic_fetch_add_explicit(&state, 1, memory_order_acquire) < WRITER)
            return;
#ifdef WRONG
        while (atomic_load_explicit(&state, memory_order_relaxed) > 2 * WRITER)
            sched_yield();
        return;
#endif
        atomic_fetch_sub_explicit(&state, 1, memory_order_relaxed);
        while (atomic_load_explicit(&state, memory_order_relaxed) >= WRITER)
            sched_yield();
    }
}

static void *reader(void *arg)
{
    read_lock();
    assert(pair[0] == pair[1]);
    atomic_fetch_sub_explicit(&state, 1, memory_order_release);
    return arg;
}

static void *writer(void *arg)
{
    int none = 0;
    while (!atomic_compare_exchange_weak_explicit(&state, &none, WRITER, memory_order_acquire,
                                                  memory_order_relaxed)) {
        sched_yield();
        none = 0;
    }
    pair[0]++;
    pair[1]++;
    atomic_fetch_sub_explicit(&state, WRITER, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, reader, NULL);
    pthread_create(&two, NULL, writer, NULL);
    writer(NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(pair[0] == 2);
    return 0;
}
