/* SPDX-License-Identifier: Apache-2.0 */
/* A bounded k-FIFO queue: a ring of segments with K + 1 slots each. enq uses any free slot of the segment at the tail, deq takes any item of the
 * segment at the head, so an item is at most K places out of order. Here enq begins at a segment's first slot and deq at its last.
 *
 * Slots are used again and again, therefore words have versions: a value in the lower half, a number that grows with
 * every change in the upper half. An item may arrive in a segment that others have just passed: enq looks whether
 * the segment still counts, and takes its item back if not (`is_committed`). deq moves the tail on before it takes
 * from the segment there, so that nothing is added to a segment from which items are taken.
 *
 * Bug:
 *   -DNO_COMMIT    enq does not look: an item may lie behind the head, and is late by a whole round, or lost */
#include <plumb.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef K
#define K 1
#endif
#ifndef SEGMENTS
#define SEGMENTS 4
#endif

enum { SLOTS = K + 1 };

typedef uint64_t word; /* version, value */

static _Atomic word slots[SEGMENTS][SLOTS]; /* value 0: free */
static _Atomic word head, tail;             /* values: numbers of segments */

static uint32_t value_of(word w)
{
    return (uint32_t)w;
}

/* The word that follows `old`. */
static word successor(word old, uint32_t value)
{
    return ((old >> 32) + 1) << 32 | value;
}

static bool exchange(_Atomic word *at, word old, word new)
{
    return atomic_compare_exchange_strong(at, &old, new);
}

static void advance(_Atomic word *end, word old)
{
    exchange(end, old, successor(old, (value_of(old) + 1) % SEGMENTS));
}

/* A slot of the segment that is free (or has an item), and its word; -1: none. */
static int find_slot(uint32_t segment, bool free, word *found)
{
    for (int k = 0; k < SLOTS; k++) {
        int i = free ? k : SLOTS - 1 - k;
        *found = slots[segment][i];
        if ((value_of(*found) == 0) == free)
            return i;
    }
    return -1;
}

/* --- adding ----------------------------------------------------------------------------------------------------------- */

/* Is the segment one of those from the head to the tail? */
static bool counts(uint32_t segment, uint32_t from, uint32_t to)
{
    return (segment + SEGMENTS - from) % SEGMENTS <= (to + SEGMENTS - from) % SEGMENTS;
}

/* The item has been put into a segment that was the tail. Is it going to be found? If not, it is taken back. */
static bool is_committed(uint32_t segment, _Atomic word *slot, word item)
{
#ifdef NO_COMMIT
    return true;
#endif
    if (*slot != item)
        return true; /* found already */
    word front = head, back = tail;
    if (counts(segment, value_of(front), value_of(back))) {
        if (segment != value_of(front))
            return true;
        /* The head may move on any moment, unless it has to look again. */
        if (exchange(&head, front, successor(front, value_of(front))))
            return true;
    }
    return !exchange(slot, item, successor(item, 0));
}

static bool add(uint32_t item)
{
    for (;;) {
        word back = tail, front = head, old;
        int i = find_slot(value_of(back), true, &old);
        if (back != tail)
            continue;
        if (i >= 0) {
            _Atomic word *slot = &slots[value_of(back)][i];
            word new = successor(old, item);
            if (exchange(slot, old, new) && is_committed(value_of(back), slot, new))
                return true;
        } else if ((value_of(back) + 1) % SEGMENTS != value_of(front)) {
            advance(&tail, back);
        } else if (front == head) {
            if (find_slot(value_of(front), false, &old) >= 0)
                return false; /* full */
            advance(&head, front);
        }
    }
}

/* --- taking away -------------------------------------------------------------------------------------------------------- */

static bool remove_any(uint32_t *item)
{
    for (;;) {
        word front = head, old;
        int i = find_slot(value_of(front), false, &old);
        word back = tail;
        if (front != head)
            continue;
        bool last = value_of(front) == value_of(back);
        if (i < 0 && last && back == tail)
            return false;
        if (i < 0) {
            advance(&head, front);
            continue;
        }
        if (last)
            advance(&tail, back);
        if (exchange(&slots[value_of(front)][i], old, successor(old, 0))) {
            *item = value_of(old);
            return true;
        }
    }
}

/* --- the harness ---------------------------------------------------------------------------------------------------------- */

PLUMB_OBJECT(queue)

PLUMB_OP(enq, int, item)
{
    while (!add((uint32_t)item))
        ; /* tests are smaller than the queue */
    return PLUMB_OK;
}

PLUMB_OP(deq)
{
    uint32_t item;
    return remove_any(&item) ? PLUMB_INT(item) : PLUMB_NONE;
}
