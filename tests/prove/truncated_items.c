/* SPDX-License-Identifier: Apache-2.0 */
/* A stack of long numbers that keeps 32 bits of each. */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};
static _Atomic(struct node *) top;

PLUMB_OBJECT(stack)

PLUMB_OP(push, long, v)
{
    struct node *n = malloc(sizeof *n);
    n->value = (int)v;
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
    return n ? PLUMB_INT(n->value) : PLUMB_NONE;
}
