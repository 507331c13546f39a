// SPDX-License-Identifier: Apache-2.0
// A sequence lock around two words: WRITERS write once each, READERS read until they have a whole pair.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef READERS
#define READERS 2
#endif
#ifndef WRITERS
#define WRITERS 2
#endif
static atomic_int sequence, a, b;

static void *writer(void *argument)
{
    int value = (int)(long)argument, s;
    for (;;) {
        s = atomic_load_explicit(&sequence, memory_order_relaxed);
        if (s % 2 == 0 && atomic_compare_exchange_strong_explicit(&sequence, &s, s + 1, memory_order_acquire,
                                                                  memory_order_relaxed))
            break;
    }
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&a, value, memory_order_relaxed);
    atomic_store_explicit(&b, value, memory_order_relaxed);
    atomic_store_explicit(&sequence, s + 2, memory_order_release);
    return NULL;
}

static void *reader(void *unused)
{
    int before, x, y;
    do {
        while ((before = atomic_load_explicit(&sequence, memory_order_acquire)) % 2)
            ;
        x = atomic_load_explicit(&a, memory_order_relaxed);
        y = atomic_load_explicit(&b, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
    } while (atomic_load_explicit(&sequence, memory_order_relaxed) != before);
    assert(x == y);
    return unused;
}

int main(void)
{
    pthread_t t[READERS + WRITERS];
    for (long i = 0; i < READERS + WRITERS; i++)
        pthread_create(&t[i], NULL, i < READERS ? reader : writer, (void *)(i + 1));
    for (int i = 0; i < READERS + WRITERS; i++)
        pthread_join(t[i], NULL);
}
