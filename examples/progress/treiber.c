/* SPDX-License-Identifier: Apache-2.0 */
/* Treiber's stack: who fails to exchange the top has been overtaken by one who did. -DFLAG: a flag is set and cleared around push. */
#include <plumb.h>

#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static _Atomic(struct node *) top;

#ifdef FLAG
static atomic_bool pushing;
#endif

PLUMB_OBJECT(stack)
PLUMB_TEST("push(1) pop | push(2) pop")

PLUMB_SETUP()
{
    atomic_init(&top, NULL);
}

PLUMB_OP(push, int, v)
{
    struct node *n = malloc(sizeof *n), *old;
    n->value = v;
#ifdef FLAG
    while (atomic_exchange(&pushing, true))
        ;
#endif
    old = atomic_load(&top);
    do
        n->next = old;
    while (!atomic_compare_exchange_strong(&top, &old, n));
#ifdef FLAG
    atomic_store(&pushing, false);
#endif
    return PLUMB_OK;
}

PLUMB_OP(pop)
{
    struct node *old = atomic_load(&top);
    while (old)
        if (atomic_compare_exchange_strong(&top, &old, old->next))
            return PLUMB_INT(old->value);
    return PLUMB_NONE;
}
