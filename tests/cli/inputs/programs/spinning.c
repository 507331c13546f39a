/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int left, right;

static void take(atomic_int *lock)
{
    while (atomic_exchange(lock, 1))
        ;
}

static void give(atomic_int *lock)
{
#ifndef KEPT
    atomic_store(lock, 0);
#else
    (void)lock;
#endif
}

static void *one(void *arg)
{
    take(&left);
    take(&right);
    give(&right);
    give(&left);
    return arg;
}

static void *other(void *arg)
{
    take(&right);
    take(&left);
    give(&left);
    give(&right);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, other, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
