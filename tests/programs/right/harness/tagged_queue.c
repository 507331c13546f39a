/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags: -mcx16 */
/* flags-plumb: --test 'enq(1) => deq | deq enq(2) deq' */
/* note: Michael and Scott's queue with nodes that come back: pointers and tags are exchanged together, 16 bytes, and read apart */
#include <plumb.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef TAG
#define TAG 1 /* what an exchange adds to it */
#endif

enum { SPARE = 8 };

union link {
    unsigned __int128 whole;
    struct {
        struct node *node;
        uintptr_t tag;
    };
};

struct node {
    union link next;
    int value;
};

static struct node dummy;
static union link head = {.node = &dummy}, tail = {.node = &dummy};

static _Thread_local struct {
    struct node *nodes[SPARE];
    unsigned first, last;
} spare;

static struct node *take_node(void)
{
    if (spare.first != spare.last)
        return spare.nodes[spare.first++ % SPARE];
    struct node *n = aligned_alloc(16, sizeof *n);
    n->next = (union link){0};
    return n;
}

static void keep_node(struct node *n)
{
    if (spare.last - spare.first < SPARE)
        spare.nodes[spare.last++ % SPARE] = n;
}

static union link look(union link *l)
{
    union link seen;
    seen.tag = __atomic_load_n(&l->tag, __ATOMIC_ACQUIRE);
    seen.node = __atomic_load_n(&l->node, __ATOMIC_ACQUIRE);
    return seen;
}

static bool exchange(union link *l, union link old, struct node *node)
{
    union link new = {.node = node};
    new.tag = old.tag + TAG;
    return __atomic_compare_exchange_n(&l->whole, &old.whole, new.whole, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
}

/* A node that comes back ends the list: it is nobody's but its owner's, whose exchange cannot fail for good. */
static void end_list(struct node *n)
{
    while (!exchange(&n->next, look(&n->next), NULL))
        ;
}

PLUMB_OBJECT(queue)

PLUMB_OP(enq, int, v)
{
    struct node *n = take_node();
    union link last, next;
    __atomic_store_n(&n->value, v, __ATOMIC_RELAXED);
    end_list(n);
    for (;;) {
        last = look(&tail);
        next = look(&last.node->next);
        if (last.tag != __atomic_load_n(&tail.tag, __ATOMIC_ACQUIRE))
            continue;
        if (next.node)
            exchange(&tail, last, next.node);
        else if (exchange(&last.node->next, next, n))
            break;
    }
    exchange(&tail, last, n);
    return PLUMB_OK;
}

PLUMB_OP(deq)
{
    for (;;) {
        union link first = look(&head), last = look(&tail), next = look(&first.node->next);
        if (first.tag != __atomic_load_n(&head.tag, __ATOMIC_ACQUIRE))
            continue;
        if (first.node == last.node) {
            if (!next.node)
                return PLUMB_NONE;
            exchange(&tail, last, next.node);
            continue;
        }
        int v = __atomic_load_n(&next.node->value, __ATOMIC_RELAXED);
        if (exchange(&head, first, next.node)) {
            keep_node(first.node);
            return PLUMB_INT(v);
        }
    }
}

PLUMB_TRY(enq, 1, 2)
