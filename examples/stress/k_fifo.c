/* SPDX-License-Identifier: Apache-2.0 */
/* A k-FIFO queue: a list of segments with K + 1 slots. An element goes into any free slot of the last segment, and comes out of any slot
 * of the first one, so it is up to K places out of order: right with --quasi 2, wrong as a queue. -DFIXED: K is 0, a strict queue. */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef FIXED
enum { K = 0 };
#else
enum { K = 2 };
#endif
enum { SLOTS = K + 1, FREE = 0, TAKEN = 1 }; /* elements in slots are 4 times as large, and 2 more */

struct segment {
    _Atomic(struct segment *) next;
    _Atomic long slots[SLOTS]; /* free, then an element, then taken; never free again */
};

static _Atomic(struct segment *) head, tail;
static struct segment *segments; /* the first of all */

static struct segment *make_segment(void)
{
    return calloc(1, sizeof(struct segment));
}

/* The last segment is full. */
static void append_segment(struct segment *last)
{
    struct segment *next = last->next;
    if (!next) {
        struct segment *fresh = make_segment();
        if (atomic_compare_exchange_strong(&last->next, &next, fresh))
            next = fresh;
        else
            free(fresh);
    }
    atomic_compare_exchange_strong(&tail, &last, next);
}

/* Into the first free slot, if there is one. */
static bool put(struct segment *s, long element)
{
    for (unsigned i = 0; i < SLOTS; i++) {
        long old = FREE;
        if (s->slots[i] == FREE && atomic_compare_exchange_strong(&s->slots[i], &old, element))
            return true;
    }
    return false;
}

/* The last slot with an element; otherwise the number of slots that were taken. */
static bool find(struct segment *s, unsigned *slot, long *element, unsigned *taken)
{
    *taken = 0;
    for (*slot = SLOTS; (*slot)-- > 0;) {
        *element = s->slots[*slot];
        if (*element != FREE && *element != TAKEN)
            return true;
        *taken += *element == TAKEN;
    }
    return false;
}

PLUMB_OBJECT(queue)

PLUMB_SETUP()
{
    head = tail = segments = make_segment();
}

PLUMB_TEARDOWN()
{
    for (struct segment *s = segments, *next; s; s = next) {
        next = s->next;
        free(s);
    }
}

PLUMB_OP(enq, long, value)
{
    for (;;) {
        struct segment *last = tail;
        if (put(last, value * 4 + 2))
            return PLUMB_OK;
        append_segment(last);
    }
}

PLUMB_OP(deq)
{
    for (;;) {
        struct segment *first = head;
        unsigned slot, taken, again;
        long element;
        if (find(first, &slot, &element, &taken)) {
            if (atomic_compare_exchange_strong(&first->slots[slot], &element, TAKEN))
                return PLUMB_INT((element - 2) / 4);
        } else if (taken == SLOTS) {
            struct segment *next = first->next;
            if (!next)
                return PLUMB_NONE;
            atomic_compare_exchange_strong(&head, &first, next);
        } else if (!find(first, &slot, &element, &again) && taken == again) {
            return PLUMB_NONE; /* slots only go on: nothing was in any between the two looks */
        }
    }
}

PLUMB_TEST("enq(1) enq(2) deq | deq")
