/* SPDX-License-Identifier: Apache-2.0 */
/* A bit of the address of a node, which is another one from run to run, says whether it is lost. */
#include <plumb.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef BIT
#define BIT 5
#endif

struct node {
    int value;
    struct node *next;
};
static _Atomic(struct node *) top;

PLUMB_OBJECT(stack)

PLUMB_OP(push, int, v)
{
    struct node *n = malloc(sizeof *n);
    n->value = v;
    n->next = atomic_load(&top);
    while (!atomic_compare_exchange_strong(&top, &n->next, n))
        continue;
    return PLUMB_OK;
}

PLUMB_OP(pop)
{
    struct node *n = atomic_load(&top);
    while (n && !atomic_compare_exchange_strong(&top, &n, n->next))
        continue;
    return n && !((uintptr_t)n >> BIT & 1) ? PLUMB_INT(n->value) : PLUMB_NONE;
}
