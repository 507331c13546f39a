// SPDX-License-Identifier: Apache-2.0
// A bounded ring with a sequence number in each place (Vyukov's): WRITERS put, READERS take.
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#ifndef WRITERS
#define WRITERS 2
#endif
#ifndef READERS
#define READERS 2
#endif
enum { PLACES = 2 };
static struct {
    atomic_uint sequence;
    int value;
} ring[PLACES];
static atomic_uint put_at, take_at;

static bool put(int value)
{
    unsigned at = atomic_load_explicit(&put_at, memory_order_relaxed);
    for (;;) {
        unsigned sequence = atomic_load_explicit(&ring[at % PLACES].sequence, memory_order_acquire);
        if (sequence == at) {
            if (atomic_compare_exchange_strong_explicit(&put_at, &at, at + 1, memory_order_relaxed,
                                                        memory_order_relaxed))
                break;
        } else if ((int)(sequence - at) < 0) {
            return false;
        } else {
            at = atomic_load_explicit(&put_at, memory_order_relaxed);
        }
    }
    ring[at % PLACES].value = value;
    atomic_store_explicit(&ring[at % PLACES].sequence, at + 1, memory_order_release);
    return true;
}

static bool take(int *value)
{
    unsigned at = atomic_load_explicit(&take_at, memory_order_relaxed);
    for (;;) {
        unsigned sequence = atomic_load_explicit(&ring[at % PLACES].sequence, memory_order_acquire);
        if (sequence == at + 1) {
            if (atomic_compare_exchange_strong_explicit(&take_at, &at, at + 1, memory_order_relaxed,
                                                        memory_order_relaxed))
                break;
        } else if ((int)(sequence - (at + 1)) < 0) {
            return false;
        } else {
            at = atomic_load_explicit(&take_at, memory_order_relaxed);
        }
    }
    *value = ring[at % PLACES].value;
    atomic_store_explicit(&ring[at % PLACES].sequence, at + PLACES, memory_order_release);
    return true;
}

static void *writer(void *argument)
{
    put((int)(long)argument);
    return NULL;
}

static void *reader(void *unused)
{
    int value;
    take(&value);
    return unused;
}

int main(void)
{
    pthread_t t[WRITERS + READERS];
    for (unsigned i = 0; i < PLACES; i++)
        atomic_init(&ring[i].sequence, i);
    for (long i = 0; i < WRITERS + READERS; i++)
        pthread_create(&t[i], NULL, i < WRITERS ? writer : reader, (void *)(i + 1));
    for (int i = 0; i < WRITERS + READERS; i++)
        pthread_join(t[i], NULL);
}
