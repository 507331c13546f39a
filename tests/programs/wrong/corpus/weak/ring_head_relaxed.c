/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* tso: holds */
/* sc: holds */
/* note: the consumer frees a slot with a relaxed store; the producer overwrites it while it is read */
#include <pthread.h>
#include <stdatomic.h>

static int slot;
static atomic_uint head, tail;
int seen;

static void *producer(void *unused)
{
    (void)unused;
    for (unsigned i = 0; i < 2; i++) {
        if (i - atomic_load_explicit(&head, memory_order_acquire) == 1)
            break;
        slot = (int)i;
        atomic_store_explicit(&tail, i + 1, memory_order_release);
    }
    return NULL;
}

static void *consumer(void *unused)
{
    (void)unused;
    if (atomic_load_explicit(&tail, memory_order_acquire) == 0)
        return NULL;
    seen = slot;
    atomic_store_explicit(&head, 1, memory_order_relaxed);
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
