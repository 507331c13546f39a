/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: what a thread counted in memory is added to another counter, which is read */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int busy;
static int shared;
static unsigned long sum;
static unsigned long spins[2];

static void *run(void *arg)
{
    unsigned long *own = arg;
    while (atomic_exchange_explicit(&busy, 1, memory_order_acquire))
        ++*own;
    shared++;
    sum += *own;
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
    assert(sum < 6);
    return 0;
}
