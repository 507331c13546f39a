/* SPDX-License-Identifier: Apache-2.0 */
/* A stack of one push and one pop. */
#include "sites.h"

struct node {
    struct node *next;
    int value;
};
static _Atomic(struct node *) top;
static struct node mine;

static void *push(void *p)
{
    mine.value = 1;
    struct node *old = atomic_load_explicit(&top, A);
    mine.next = old;
    atomic_compare_exchange_strong_explicit(&top, &old, &mine, B, memory_order_relaxed);
    return p;
}

static void *pop(void *p)
{
    struct node *old = atomic_load_explicit(&top, C);
    if (old && atomic_compare_exchange_strong_explicit(&top, &old, old->next, D, memory_order_relaxed))
        assert(old->value == 1);
    return p;
}

int main(void)
{
    run(push, pop, NULL);
    return 0;
}
