/* SPDX-License-Identifier: Apache-2.0 */
/* Treiber's stack, of ITEMs; a node may have more members (MORE), and pop answers ANSWER(node). */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
#ifdef MORE
    MORE;
#endif
    struct node *next;
};
static _Atomic(struct node *) top;

PLUMB_OBJECT(stack)

PLUMB_OP(push, ITEM, v)
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
    return n ? ANSWER(n) : PLUMB_NONE;
}
