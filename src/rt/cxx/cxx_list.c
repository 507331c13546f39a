/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes of std::list: what libstdc++'s headers only declare. A list is a ring through a node of its own. */
#include "rt/cxx/watched_memory.h"

struct list_node {
    struct list_node *next, *previous;
};

static struct list_node *next_of(struct list_node *n, const void *pc)
{
    return WATCHED_GET(&n->next, pc);
}

static struct list_node *previous_of(struct list_node *n, const void *pc)
{
    return WATCHED_GET(&n->previous, pc);
}

static void join(struct list_node *first, struct list_node *second, const void *pc)
{
    WATCHED_SET(&first->next, second, pc);
    WATCHED_SET(&second->previous, first, pc);
}

EXPORT void _ZNSt8__detail15_List_node_base7_M_hookEPS0_(struct list_node *n, struct list_node *place)
{
    struct list_node *before = previous_of(place, CALLER);
    join(n, place, CALLER);
    join(before, n, CALLER);
}

EXPORT void _ZNSt8__detail15_List_node_base9_M_unhookEv(struct list_node *n)
{
    join(previous_of(n, CALLER), next_of(n, CALLER), CALLER);
}

/* From `first` up to, not including, `end`: now before `place`. */
EXPORT void _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(struct list_node *place,
                                                                 struct list_node *first,
                                                                 struct list_node *end)
{
    if (place == end)
        return;
    struct list_node *last = previous_of(end, CALLER), *before_first = previous_of(first, CALLER);
    struct list_node *before_place = previous_of(place, CALLER);
    join(before_first, end, CALLER);
    join(before_place, first, CALLER);
    join(last, place, CALLER);
}

EXPORT void _ZNSt8__detail15_List_node_base10_M_reverseEv(struct list_node *list)
{
    struct list_node *n = list;
    do {
        struct list_node *next = next_of(n, CALLER), *previous = previous_of(n, CALLER);
        WATCHED_SET(&n->next, previous, CALLER);
        WATCHED_SET(&n->previous, next, CALLER);
        n = next;
    } while (n != list);
}

/* The nodes of the ring `from` now belong to the ring `to`, which has lost its own. */
static void take_ring(struct list_node *to, struct list_node *first, struct list_node *last, const void *pc)
{
    join(to, first, pc);
    join(last, to, pc);
}

EXPORT void _ZNSt8__detail15_List_node_base4swapERS0_S1_(struct list_node *a, struct list_node *b)
{
    struct list_node *first_a = next_of(a, CALLER), *last_a = previous_of(a, CALLER);
    struct list_node *first_b = next_of(b, CALLER), *last_b = previous_of(b, CALLER);
    bool has_a = first_a != a, has_b = first_b != b;
    if (has_b)
        take_ring(a, first_b, last_b, CALLER);
    else if (has_a)
        join(a, a, CALLER);
    if (has_a)
        take_ring(b, first_a, last_a, CALLER);
    else if (has_b)
        join(b, b, CALLER);
}
