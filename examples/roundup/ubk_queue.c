/* SPDX-License-Identifier: Apache-2.0 */
/* An unbounded k-FIFO queue: a list of segments with K + 1 slots each. enq uses any free slot of the segment at the tail, deq takes any item of the
 * segment at the head, so an item is at most K places out of order. Here enq begins at a segment's first slot and deq at its last.
 *
 * A slot may be free again after its item was taken, therefore words have versions: a value in the lower half, a number that
 * grows with every change in the upper half. An item may arrive in a segment that is just being removed: enq looks
 * whether it is, and takes its item back then (`is_committed`). deq moves the tail on before it takes from the
 * segment there, so that nothing is added to a segment from which items are taken.
 *
 * Bug:
 *   -DNO_COMMIT    enq does not look: an item in a segment that is removed is lost */
#include <plumb.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef K
#define K 1
#endif

enum { SLOTS = K + 1, SEGMENTS = 24 };

typedef uint64_t word; /* version, value */

/* Segments are numbered, and never used twice. */
struct segment {
    _Atomic word slots[SLOTS]; /* value 0: free */
    atomic_bool removed;
    _Atomic uint32_t next; /* 0: none */
};

static struct segment segments[SEGMENTS];
static _Atomic uint32_t segment_count;
static _Atomic word head, tail; /* values: numbers of segments */

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

/* A slot of the segment that is free (or has an item), and its word; null: none. */
static _Atomic word *find_slot(uint32_t segment, bool free, word *found)
{
    for (int k = 0; k < SLOTS; k++) {
        _Atomic word *slot = &segments[segment].slots[free ? k : SLOTS - 1 - k];
        *found = *slot;
        if ((value_of(*found) == 0) == free)
            return slot;
    }
    return NULL;
}

/* --- segments ------------------------------------------------------------------------------------------------------------ */

static void advance_tail(word back)
{
    uint32_t next = segments[value_of(back)].next;
    if (!next) {
        uint32_t fresh = atomic_fetch_add(&segment_count, 1) + 1;
        if (fresh >= SEGMENTS)
            abort();
        if (atomic_compare_exchange_strong(&segments[value_of(back)].next, &next, fresh))
            next = fresh;
    }
    exchange(&tail, back, successor(back, next));
}

/* Nothing was in it, and it is not the tail. */
static void advance_head(word front)
{
    uint32_t next = segments[value_of(front)].next;
    if (front != head)
        return;
    segments[value_of(front)].removed = true;
    exchange(&head, front, successor(front, next));
}

/* --- adding ------------------------------------------------------------------------------------------------------------------ */

/* The item has been put into a segment that was the tail. Is it going to be found? If not, it is taken back. */
static bool is_committed(uint32_t segment, _Atomic word *slot, word item)
{
#ifdef NO_COMMIT
    return true;
#endif
    if (*slot != item)
        return true; /* found already */
    word front = head;
    bool removed = segments[segment].removed;
    if (!removed && segment != value_of(front))
        return true;
    /* The head may move on any moment, unless it has to look again. */
    if (segment == value_of(front) && exchange(&head, front, successor(front, segment)))
        return true;
    return !exchange(slot, item, successor(item, 0));
}

static void add(uint32_t item)
{
    for (;;) {
        word back = tail, old;
        _Atomic word *slot = find_slot(value_of(back), true, &old);
        if (back != tail)
            continue;
        if (!slot) {
            advance_tail(back);
            continue;
        }
        word new = successor(old, item);
        if (exchange(slot, old, new) && is_committed(value_of(back), slot, new))
            return;
    }
}

/* --- taking away ---------------------------------------------------------------------------------------------------------------- */

static bool remove_any(uint32_t *item)
{
    for (;;) {
        word front = head, old;
        _Atomic word *slot = find_slot(value_of(front), false, &old);
        word back = tail;
        if (front != head)
            continue;
        bool last = value_of(front) == value_of(back);
        if (!slot && last && back == tail)
            return false;
        if (!slot) {
            advance_head(front);
            continue;
        }
        if (last)
            advance_tail(back);
        if (exchange(slot, old, successor(old, 0))) {
            *item = value_of(old);
            return true;
        }
    }
}

/* --- the harness ------------------------------------------------------------------------------------------------------------------ */

PLUMB_OBJECT(queue)

PLUMB_SETUP()
{
    segment_count = 1;
    head = tail = 1;
}

PLUMB_OP(enq, int, item)
{
    add((uint32_t)item);
    return PLUMB_OK;
}

PLUMB_OP(deq)
{
    uint32_t item;
    return remove_any(&item) ? PLUMB_INT(item) : PLUMB_NONE;
}
