/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* sc: holds */
/* tso: holds */
/* note: rc11: the same with an atomic read of the round, which is not the one by which the loop ends */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, other, ended;

static void *wait_for(void *arg)
{
    while (!atomic_load_explicit(&flag, memory_order_relaxed) &&
           !atomic_load_explicit(&other, memory_order_relaxed))
        continue;
    atomic_store_explicit(&ended, 1, memory_order_relaxed);
    return arg;
}

static void *set(void *arg)
{
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    if (atomic_load_explicit(&ended, memory_order_relaxed))
        atomic_init(&other, 0);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, wait_for, NULL);
    pthread_create(&t[1], NULL, set, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
