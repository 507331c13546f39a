/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: race */
/* wrong-sc: holds */
/* wrong-tso: holds */
/* note: a ring of two for one producer and one consumer, each with a copy of the other's index; three items */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WRONG
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif

enum { SIZE = 2, ITEMS = 3 };

struct ring {
    _Alignas(64) atomic_uint head; /* next to read */
    unsigned cached_tail;          /* the consumer's */
    _Alignas(64) atomic_uint tail; /* next to write */
    unsigned cached_head;          /* the producer's */
    _Alignas(64) int slots[SIZE];
};

static struct ring ring;

static void push(struct ring *r, int item)
{
    unsigned tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
    while (tail - r->cached_head == SIZE)
        r->cached_head = atomic_load_explicit(&r->head, memory_order_acquire);
    r->slots[tail % SIZE] = item;
    atomic_store_explicit(&r->tail, tail + 1, memory_order_release);
}

static int pop(struct ring *r)
{
    unsigned head = atomic_load_explicit(&r->head, memory_order_relaxed);
    while (r->cached_tail == head)
        r->cached_tail = atomic_load_explicit(&r->tail, memory_order_acquire);
    int item = r->slots[head % SIZE];
    atomic_store_explicit(&r->head, head + 1, PUBLISH);
    return item;
}

static void *produce(void *arg)
{
    for (int i = 0; i < ITEMS; i++)
        push(&ring, i);
    return arg;
}

int main(void)
{
    pthread_t producer;
    pthread_create(&producer, NULL, produce, NULL);
    for (int i = 0; i < ITEMS; i++)
        assert(pop(&ring) == i);
    pthread_join(producer, NULL);
    return 0;
}
