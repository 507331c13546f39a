/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* races: inconclusive */
/* mode: all */
/* note: a queue whose reader keeps the index of the writer in the queue, on the heap */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct queue {
    atomic_uint head, tail;
    unsigned cached_tail;
    int items[2];
};

static void *put(void *arg)
{
    struct queue *q = arg;
    for (int k = 0; k < 2; k++) {
        unsigned tail = atomic_load_explicit(&q->tail, memory_order_relaxed);
        q->items[tail] = 7 + k;
        atomic_store_explicit(&q->tail, tail + 1, memory_order_release);
    }
    return NULL;
}

static void *take(void *arg)
{
    struct queue *q = arg;
    for (int k = 0; k < 2; k++) {
        unsigned head = atomic_load_explicit(&q->head, memory_order_relaxed);
        while (head == q->cached_tail)
            q->cached_tail = atomic_load_explicit(&q->tail, memory_order_acquire);
        assert(q->items[head] == 7 + k);
        atomic_store_explicit(&q->head, head + 1, memory_order_release);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    struct queue *q = calloc(1, sizeof *q);
    pthread_create(&t[0], NULL, put, q);
    pthread_create(&t[1], NULL, take, q);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    free(q);
    return 0;
}
