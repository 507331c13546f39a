/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: each thread counts its rounds in memory, plainly, and nobody reads it */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int busy;
static int shared;
static unsigned long spins[2];

static void *run(void *arg)
{
    unsigned long *own = arg;
    while (atomic_exchange_explicit(&busy, 1, memory_order_acquire))
        ++*own;
    shared++;
    atomic_store_explicit(&busy, 0, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, run, &spins[0]);
    pthread_create(&two, NULL, run, &spins[1]);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(shared == 2);
    return 0;
}
