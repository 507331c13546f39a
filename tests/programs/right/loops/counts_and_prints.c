/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: what a thread and all threads count in rounds is printed at the end, and nothing else is done with it */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_ulong spins;
static atomic_int busy;
static int shared;

static void *run(void *arg)
{
    unsigned own = 0;
    while (atomic_exchange_explicit(&busy, 1, memory_order_acquire)) {
        atomic_fetch_add_explicit(&spins, 1, memory_order_relaxed);
        own++;
    }
    shared++;
    atomic_store_explicit(&busy, 0, memory_order_release);
    printf("%u of them\n", own);
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
    printf("%lu spins\n", atomic_load_explicit(&spins, memory_order_relaxed));
    return 0;
}
