/* SPDX-License-Identifier: Apache-2.0 */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS = 3 };

struct node {
    int value;
    struct node *next;
};

static struct node *_Atomic top;
static struct node *_Atomic hazards[THREADS];

static void push(int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = atomic_load(&top);
    while (!atomic_compare_exchange_strong(&top, &n->next, n))
        ;
}

static void retire(struct node *n)
{
    for (int i = 0; i < THREADS; i++)
        if (atomic_load(&hazards[i]) == n)
            return;
    free(n);
}

static int pop(void)
{
    struct node *_Atomic *mine = &hazards[plumb_thread()];
    struct node *n;
    do {
        n = atomic_load(&top);
        if (!n)
            return 0;
        atomic_store(mine, n);
    } while (!atomic_compare_exchange_strong(&top, &n, n->next));
    int value = n->value;
    atomic_store(mine, NULL);
    retire(n);
    return value;
}

PLUMB_OBJECT(stack)

PLUMB_OP(push, int, v)
{
    push(v);
    return PLUMB_OK;
}

PLUMB_OP(pop)
{
    int v = pop();
    return v ? PLUMB_INT(v) : PLUMB_NONE;
}

PLUMB_TEST("push(1) => pop | pop")
