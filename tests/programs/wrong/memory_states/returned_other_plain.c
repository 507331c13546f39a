/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-return */
/* mode: dfs */
/* note: a plain write to the stack of a function that may have returned */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(int *) shared;

static __attribute__((noinline)) void offer(void)
{
    int own = 1;
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
    int *p = atomic_load_explicit(&shared, memory_order_acquire);
    if (p)
        *p = 2;
    pthread_join(t, NULL);
    return 0;
}
