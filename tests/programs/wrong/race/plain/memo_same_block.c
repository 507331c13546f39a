/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: the pointer is the same, whether its block is known or not. FIRST: order of threads */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef FIRST
#define FIRST 0
#endif

struct node {
    atomic_int count;
};
static _Atomic(struct node *) here;

static void *publish(void *unused)
{
    struct node *n = malloc(sizeof *n);
    atomic_store_explicit(&n->count, 1, memory_order_relaxed);
    atomic_store_explicit(&here, n, memory_order_release);
    return unused;
}

static void *hand_on(void *unused)
{
    struct node *n = atomic_load_explicit(&here, memory_order_relaxed);
    if (n)
        atomic_store_explicit(&here, n, memory_order_relaxed);
    return unused;
}

static void *look(void *unused)
{
    struct node *n = atomic_load_explicit(&here, memory_order_acquire);
    if (n)
        atomic_store_explicit(&n->count, 2, memory_order_relaxed);
    return unused;
}

int main(void)
{
    static void *(*const all[])(void *) = {publish, look, hand_on};
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, all[(FIRST + i) % 3], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
