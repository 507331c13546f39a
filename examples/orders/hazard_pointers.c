/* SPDX-License-Identifier: Apache-2.0 */
/* A stack whose nodes are freed, with Michael's hazard pointers: a thread says which node it is about to look into, and looks again whether it
 * is still the top. A node that was popped is freed unless a thread has named it; what is named stays. */
#include <plumb.h>

#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS = 4 };

struct node {
    struct node *below;
    int value;
};

static _Atomic(struct node *) top;
static _Atomic(struct node *) hazards[THREADS];

PLUMB_OBJECT(stack)
PLUMB_TEST("push(1) push(2) => pop | pop")

PLUMB_OP(push, int, v)
{
    struct node *n = malloc(sizeof *n);
    n->value = v;
    n->below = atomic_load_explicit(&top, memory_order_seq_cst);
    while (!atomic_compare_exchange_strong_explicit(&top, &n->below, n, memory_order_seq_cst,
                                                    memory_order_seq_cst))
        ;
    return PLUMB_OK;
}

static void retire(struct node *n)
{
    for (unsigned i = 0; i < THREADS; i++)
        if (i != plumb_thread() && atomic_load_explicit(&hazards[i], memory_order_seq_cst) == n)
            return;
    free(n);
}

PLUMB_OP(pop)
{
    _Atomic(struct node *) *hazard = &hazards[plumb_thread()];
    for (;;) {
        struct node *n = atomic_load_explicit(&top, memory_order_seq_cst);
        if (!n)
            return PLUMB_NONE;
        atomic_store_explicit(hazard, n, memory_order_seq_cst);
        if (atomic_load_explicit(&top, memory_order_seq_cst) != n)
            continue;
        if (!atomic_compare_exchange_strong_explicit(&top, &n, n->below, memory_order_seq_cst,
                                                     memory_order_seq_cst))
            continue;
        atomic_store_explicit(hazard, NULL, memory_order_seq_cst);
        int value = n->value;
        retire(n);
        return PLUMB_INT(value);
    }
}
