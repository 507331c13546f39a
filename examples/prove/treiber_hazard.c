/* SPDX-License-Identifier: Apache-2.0 */
/* Treiber's stack with a hazard pointer for each thread: what one of them points to is freed later, by who pops next.
 * UNVALIDATED: a pop does not look again after it has published its hazard pointer. */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS = 3 };

struct node {
    int value;
    _Atomic(struct node *) next; /* below it, or the next one that waits to be freed */
};

static _Atomic(struct node *) top, hazards[THREADS + 1];
static struct node *waiting[THREADS + 1]; /* of each thread */

PLUMB_OBJECT(stack)

PLUMB_OP(push, int, v)
{
    struct node *n = malloc(sizeof *n);
    n->value = v;
    struct node *below = atomic_load(&top);
    do
        atomic_store(&n->next, below);
    while (!atomic_compare_exchange_strong(&top, &below, n));
    return PLUMB_OK;
}

static bool is_in_use(const struct node *n)
{
    for (unsigned t = 1; t <= THREADS; t++)
        if (atomic_load(&hazards[t]) == n)
            return true;
    return false;
}

/* Frees what no other thread looks at. */
static void retire(struct node **list, struct node *n)
{
    struct node *all = n, *kept = NULL;
    atomic_store(&n->next, *list);
    while (all) {
        struct node *first = all;
        all = atomic_load(&first->next);
        if (is_in_use(first)) {
            atomic_store(&first->next, kept);
            kept = first;
        } else {
            free(first);
        }
    }
    *list = kept;
}

PLUMB_OP(pop)
{
    unsigned self = plumb_thread();
    struct node *n;
    for (;;) {
        n = atomic_load(&top);
        atomic_store(&hazards[self], n);
#ifndef UNVALIDATED
        if (n != atomic_load(&top))
            continue;
#endif
        if (!n)
            return PLUMB_NONE;
        if (atomic_compare_exchange_strong(&top, &n, atomic_load(&n->next)))
            break;
    }
    atomic_store(&hazards[self], NULL);
    int v = n->value;
    retire(&waiting[self], n);
    return PLUMB_INT(v);
}
