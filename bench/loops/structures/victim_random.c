/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: an idle worker looks for work at victims that it chooses by a generator of random numbers */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { VICTIMS = 2 };

static atomic_int work[VICTIMS];
static _Thread_local unsigned seed = 2463534242u;

static unsigned random_number(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}

static int steal(void)
{
    for (;;) {
        atomic_int *victim = &work[random_number() % VICTIMS];
        int v = atomic_load_explicit(victim, memory_order_relaxed);
        if (v && atomic_compare_exchange_strong_explicit(victim, &v, 0, memory_order_acquire,
                                                         memory_order_relaxed))
            return v;
    }
}

static void *give(void *arg)
{
    atomic_store_explicit((atomic_int *)arg, 5, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t owner;
    pthread_create(&owner, NULL, give, &work[1]);
    assert(steal() == 5);
    pthread_join(owner, NULL);
    return 0;
}
