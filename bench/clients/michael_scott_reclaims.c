/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of Michael and Scott with reclamation, as they wrote it: links are counted, and whoever takes a node out of the
 * list keeps it and uses it again. Somebody late may still look at it, hence all of a node is atomic; a link
 * is never the same again, so that his exchange fails. */
#include <plumb.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

typedef uint64_t link; /* the address of a node; the highest 16 bits count */

struct node {
    _Atomic link next;
    atomic_int item;
    struct node *spare; /* while it is nobody else's: the next one */
};

static struct node first;
static _Atomic link head, tail;
static _Thread_local struct node *spares;

static struct node *node_of(link l)
{
    return (struct node *)(uintptr_t)(l & 0xffffffffffff);
}

/* What takes the place of `old`. */
static link link_to(struct node *n, link old)
{
    return (uintptr_t)n | ((old >> 48) + 1) << 48;
}

static link load(_Atomic link *l)
{
    return atomic_load_explicit(l, memory_order_acquire);
}

static bool exchange(_Atomic link *l, link old, struct node *new)
{
    return atomic_compare_exchange_strong_explicit(l, &old, link_to(new, old), memory_order_acq_rel,
                                                   memory_order_acquire);
}

static struct node *new_node(int item)
{
    struct node *n = spares;
    if (n) {
        spares = n->spare;
        link old = atomic_load_explicit(&n->next, memory_order_relaxed);
        atomic_store_explicit(&n->next, link_to(NULL, old), memory_order_release);
        atomic_store_explicit(&n->item, item, memory_order_relaxed);
    } else {
        n = malloc(sizeof *n);
        atomic_init(&n->next, 0);
        atomic_init(&n->item, item);
    }
    return n;
}

static void reclaim(struct node *n)
{
    n->spare = spares;
    spares = n;
}

PLUMB_OBJECT(queue)

PLUMB_SETUP()
{
    atomic_init(&head, (uintptr_t)&first);
    atomic_init(&tail, (uintptr_t)&first);
}

PLUMB_OP(enq, int, item)
{
    struct node *n = new_node(item);
    for (;;) {
        link last = load(&tail), next = load(&node_of(last)->next);
        if (last != load(&tail))
            continue; /* the node may be another one by now */
        if (node_of(next)) {
            exchange(&tail, last, node_of(next)); /* help */
        } else if (exchange(&node_of(last)->next, next, n)) {
            exchange(&tail, last, n);
            return PLUMB_OK;
        }
    }
}

PLUMB_OP(deq)
{
    for (;;) {
        link front = load(&head), last = load(&tail), next = load(&node_of(front)->next);
        if (front != load(&head))
            continue;
        if (!node_of(next))
            return PLUMB_NONE;
        if (node_of(front) == node_of(last)) {
            exchange(&tail, last, node_of(next)); /* head must not overtake tail */
            continue;
        }
        int item = atomic_load_explicit(&node_of(next)->item, memory_order_relaxed);
        if (exchange(&head, front, node_of(next))) {
            reclaim(node_of(front));
            return PLUMB_INT(item);
        }
    }
}
