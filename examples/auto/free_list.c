/* SPDX-License-Identifier: Apache-2.0 */
/* A Treiber stack whose nodes come from a free list. Each thread has its own one, and takes first what it gave back first. Links
 * are indices with a tag that counts changes; with -DBUG there are no tags: a pop that is interrupted between its two steps
 * may find the old top again, on top of another node (ABA). No test of two calls in two threads shows it:
 *   plumb auto free_list.c -- -DBUG
 * goes on with larger ones. */
#include <plumb.h>
#include <stdatomic.h>
#include <stdint.h>

enum { THREADS = 8, EACH = 12, NONE = 0 };

typedef uint64_t link; /* index in the low half, tag in the high one */

static struct node {
    _Atomic int value;
    _Atomic link next;
} nodes[1 + THREADS * EACH];

static _Atomic link top;

/* What each thread may use: indices from `first`, of which `given` are taken for the first time one by one. */
static struct {
    uint32_t given, first, last;
    uint32_t queue[64];
} own[THREADS];

static uint32_t index_of(link l)
{
    return (uint32_t)l;
}

static link renew(link old, uint32_t index)
{
#ifdef BUG
    (void)old;
    return index;
#else
    return ((old >> 32) + 1) << 32 | index;
#endif
}

static uint32_t new_node(void)
{
    unsigned me = plumb_thread() % THREADS;
    if (own[me].first < own[me].last)
        return own[me].queue[own[me].first++ % 64];
    return 1 + me * EACH + own[me].given++ % EACH;
}

static void free_node(uint32_t index)
{
    unsigned me = plumb_thread() % THREADS;
    own[me].queue[own[me].last++ % 64] = index;
}

PLUMB_OBJECT(stack)

PLUMB_OP(push, int, value)
{
    uint32_t index = new_node();
    link old = atomic_load(&top);
    atomic_store(&nodes[index].value, value);
    do
        atomic_store(&nodes[index].next, index_of(old));
    while (!atomic_compare_exchange_strong(&top, &old, renew(old, index)));
    return PLUMB_OK;
}

PLUMB_OP(pop)
{
    link old = atomic_load(&top);
    while (index_of(old) != NONE &&
           !atomic_compare_exchange_strong(&top, &old,
                                           renew(old, index_of(atomic_load(&nodes[index_of(old)].next)))))
        continue;
    if (index_of(old) == NONE)
        return PLUMB_NONE;
    int value = atomic_load(&nodes[index_of(old)].value);
    free_node(index_of(old));
    return PLUMB_INT(value);
}
