/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: assert */
/* note: every thread has its copy of an epoch and refreshes it until it is new enough */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint epoch;
static _Thread_local unsigned my_epoch;
static atomic_int table[2];

static void catch_up(unsigned wanted)
{
    while (my_epoch < wanted)
        my_epoch = atomic_load_explicit(&epoch, memory_order_acquire);
}

static void *reader(void *arg)
{
    catch_up(1);
    assert(atomic_load_explicit(&table[0], memory_order_relaxed) == 7);
#ifdef WRONG
    assert(atomic_load_explicit(&table[1], memory_order_relaxed) == 8);
#endif
    catch_up(2);
    assert(atomic_load_explicit(&table[1], memory_order_relaxed) == 8);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, reader, NULL);
    pthread_create(&two, NULL, reader, NULL);
    atomic_store_explicit(&table[0], 7, memory_order_relaxed);
    atomic_store_explicit(&epoch, 1, memory_order_release);
    atomic_store_explicit(&table[1], 8, memory_order_relaxed);
    atomic_store_explicit(&epoch, 2, memory_order_release);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
