// SPDX-License-Identifier: Apache-2.0
// N threads push and pop once each on Treiber's stack; nodes are not freed.
#ifndef N
#define N 3
#endif
#include "endings.h"

struct node {
    int value;
    _Atomic(struct node *) next;
};
static _Atomic(struct node *) top;

static void push(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
    do
        atomic_store_explicit(&n->next, old, memory_order_relaxed);
    while (
        !atomic_compare_exchange_strong_explicit(&top, &old, n, memory_order_release, memory_order_relaxed));
}

static int pop(void)
{
    struct node *old = atomic_load_explicit(&top, memory_order_acquire), *next;
    do {
        if (!old)
            return 0;
        next = atomic_load_explicit(&old->next, memory_order_relaxed);
    } while (!atomic_compare_exchange_strong_explicit(&top, &old, next, memory_order_acquire,
                                                      memory_order_acquire));
    return old->value;
}

static void work(long number)
{
    push((int)number);
    pop();
}

int main(void)
{
    run_all();
}
