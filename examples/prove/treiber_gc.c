/* SPDX-License-Identifier: Apache-2.0 */
/* Treiber's stack. Nothing is freed: under garbage collection it is right. FREE: what is popped is freed at once, although another thread may
 * still look at it. */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

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
    if (!n)
        return PLUMB_NONE;
    int v = n->value;
#ifdef FREE
    free(n);
#endif
    return PLUMB_INT(v);
}
