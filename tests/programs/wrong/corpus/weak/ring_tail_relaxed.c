/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* tso: holds */
/* sc: holds */
/* note: the producer's index is published relaxed */
#include <pthread.h>
#include <stdatomic.h>

static int slots[2];
static atomic_uint tail;
int seen;

static void *producer(void *unused)
{
    (void)unused;
    slots[0] = 1;
    atomic_store_explicit(&tail, 1, memory_order_release);
    slots[1] = 2;
    atomic_store_explicit(&tail, 2, memory_order_relaxed);
    return NULL;
}

static void *consumer(void *unused)
{
    (void)unused;
    unsigned count = atomic_load_explicit(&tail, memory_order_acquire);
    if (count == 2)
        seen = slots[1];
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, producer, NULL);
    pthread_create(&t[1], NULL, consumer, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
