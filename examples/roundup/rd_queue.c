/* SPDX-License-Identifier: Apache-2.0 */
/* A random-dequeue queue: the list of Michael and Scott, of which deq takes any item of the current window. Windows are K + 1 items that were added
 * one after the other; the next one is opened when all items of a window are gone. So an item is at most K places out of
 * order. Here deq takes the last item of the window that is there: as far out of order as it gets.
 *
 * The list only grows; an item that is taken is marked. Where the list ends, all marked, the queue is empty.
 *
 * Bug:
 *   -DNO_WINDOW    deq takes one of the first K + 1 items that are left: the first one may be overtaken forever */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef K
#define K 2
#endif

struct node {
    int item;
    int number; /* from 0, in the order of the list */
    atomic_bool taken;
    struct node *_Atomic next;
};

static struct node first = {.number = -1};
static struct node *_Atomic tail;

/* --- adding --------------------------------------------------------------------------------------------------------- */

static void add(struct node *n)
{
    for (;;) {
        struct node *last = tail, *next = last->next;
        if (next) {
            atomic_compare_exchange_strong(&tail, &last, next); /* help */
            continue;
        }
        n->number = last->number + 1;
        if (atomic_compare_exchange_strong(&last->next, &next, n)) {
            atomic_compare_exchange_strong(&tail, &last, n);
            return;
        }
    }
}

/* --- taking away ------------------------------------------------------------------------------------------------------ */

static struct node *next_left(struct node *n)
{
    do
        n = n->next;
    while (n && n->taken);
    return n;
}

static bool is_in_window(const struct node *n, const struct node *first_left, int left)
{
#ifdef NO_WINDOW
    (void)n, (void)first_left;
    return left < K + 1;
#else
    (void)left;
    return n->number / (K + 1) == first_left->number / (K + 1);
#endif
}

/* The last one of the window. */
static struct node *choose(struct node *first_left)
{
    struct node *chosen = first_left, *n = first_left;
    for (int left = 0; n && is_in_window(n, first_left, left); left++) {
        chosen = n;
        n = next_left(n);
    }
    return chosen;
}

/* --- the harness ------------------------------------------------------------------------------------------------------ */

PLUMB_OBJECT(queue)

PLUMB_SETUP()
{
    tail = &first;
}

PLUMB_OP(enq, int, item)
{
    struct node *n = calloc(1, sizeof *n);
    n->item = item;
    add(n);
    return PLUMB_OK;
}

PLUMB_OP(deq)
{
    struct node *n;
    while ((n = next_left(&first))) {
        n = choose(n);
        if (!atomic_exchange(&n->taken, true))
            return PLUMB_INT(n->item);
    }
    return PLUMB_NONE;
}

PLUMB_TEARDOWN()
{
    for (struct node *n = first.next; n;) {
        struct node *next = n->next;
        free(n);
        n = next;
    }
}
