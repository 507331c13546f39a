/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-return */
/* mode: dfs */
/* note: the other thread does not wait for the last access before it returns */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(atomic_int *) shared;

static __attribute__((noinline)) void offer(void)
{
    atomic_int own = 1;
    atomic_store_explicit(&shared, &own, memory_order_release);
}

static void *work(void *arg)
{
    offer();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    atomic_int *p = atomic_load_explicit(&shared, memory_order_acquire);
    if (p)
        atomic_load_explicit(p, memory_order_relaxed);
    pthread_join(t, NULL);
    return 0;
}
