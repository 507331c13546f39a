// SPDX-License-Identifier: Apache-2.0
// A read-write lock in one word: READERS and WRITERS.
#include <pthread.h>
#include <stdatomic.h>
#ifndef READERS
#define READERS 2
#endif
#ifndef WRITERS
#define WRITERS 2
#endif
static atomic_int lock; /* readers inside, or -1: a writer */
static int shared;

static void *reader(void *unused)
{
    int inside = atomic_load_explicit(&lock, memory_order_relaxed);
    do
        while (inside < 0)
            inside = atomic_load_explicit(&lock, memory_order_relaxed);
    while (!atomic_compare_exchange_strong_explicit(&lock, &inside, inside + 1, memory_order_acquire,
                                                    memory_order_relaxed));
    int seen = shared;
    (void)seen;
    atomic_fetch_sub_explicit(&lock, 1, memory_order_release);
    return unused;
}

static void *writer(void *unused)
{
    int nobody = 0;
    while (!atomic_compare_exchange_strong_explicit(&lock, &nobody, -1, memory_order_acquire,
                                                    memory_order_relaxed))
        nobody = 0;
    shared++;
    atomic_store_explicit(&lock, 0, memory_order_release);
    return unused;
}

int main(void)
{
    pthread_t t[READERS + WRITERS];
    for (int i = 0; i < READERS + WRITERS; i++)
        pthread_create(&t[i], NULL, i < READERS ? reader : writer, NULL);
    for (int i = 0; i < READERS + WRITERS; i++)
        pthread_join(t[i], NULL);
}
