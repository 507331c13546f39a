/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: race */
/* wrong-sc: holds */
/* wrong-tso: holds */
/* note: all threads count their spins in one relaxed counter that nothing reads */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WRONG
#define FREE memory_order_relaxed
#else
#define FREE memory_order_release
#endif

static atomic_ulong spins;
static atomic_int word;
static int shared;

static void *run(void *arg)
{
    int free = 0;
    while (!atomic_compare_exchange_strong_explicit(&word, &free, 1, memory_order_acquire,
                                                    memory_order_relaxed)) {
        atomic_fetch_add_explicit(&spins, 1, memory_order_relaxed);
        free = 0;
    }
    shared++;
    atomic_store_explicit(&word, 0, FREE);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, run, NULL);
    pthread_create(&two, NULL, run, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(shared == 2);
    return 0;
}
