/* SPDX-License-Identifier: Apache-2.0 */
/* A k-stack: a list of segments with K + 1 slots each. push uses any free slot of the segment on top, pop takes any of its items. Here push
 * begins at a segment's first slot, and so does pop: as far out of order as it gets.
 *
 * pop removes a segment in which it has found nothing. It says so first (`removers`), and looks again. push puts its item into a slot and looks whether
 * someone is removing the segment: if so it makes the remover fail by changing the version of `top`, or else takes its
 * item back and begins anew (`is_committed`). Words have versions: a value in the lower half, a number that grows with
 * every change in the upper half.
 *
 * Bug (section VI-D of Round-Up):
 *   -DREAD_TWICE    push reads twice whether the segment is being removed, as a flag. Between the two reads the remover sees the
 *                   item, leaves the segment alone and clears the flag. push has seen it set, then clear, and takes neither way: it
 *                   begins anew with the item still in its slot. The item is inside twice. */
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
    atomic_int removers;
    uint32_t below; /* 0: none */
};

static struct segment segments[SEGMENTS];
static _Atomic uint32_t segment_count;
static _Atomic word top; /* value: number of a segment */

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

/* The first slot of the segment that is free (or has an item), and its word; null: none. */
static _Atomic word *find_slot(uint32_t segment, bool free, word *found)
{
    for (int i = 0; i < SLOTS; i++) {
        _Atomic word *slot = &segments[segment].slots[i];
        *found = *slot;
        if ((value_of(*found) == 0) == free)
            return slot;
    }
    return NULL;
}

/* Nothing in it, all at one time: looked at twice, and no slot has changed. */
static bool is_empty(uint32_t segment)
{
    word seen[SLOTS];
    for (int i = 0; i < SLOTS; i++)
        if (value_of(seen[i] = segments[segment].slots[i]))
            return false;
    for (int i = 0; i < SLOTS; i++)
        if (segments[segment].slots[i] != seen[i])
            return false;
    return true;
}

/* --- segments ------------------------------------------------------------------------------------------------------------- */

/* With the item inside: an empty one could be removed before anything comes into it, again and again. */
static bool add_segment(word old, uint32_t item)
{
    uint32_t fresh = atomic_fetch_add(&segment_count, 1) + 1;
    if (fresh >= SEGMENTS)
        abort();
    segments[fresh].below = value_of(old);
    segments[fresh].slots[0] = item;
    return exchange(&top, old, successor(old, fresh));
}

static void try_to_remove(word old)
{
    struct segment *s = &segments[value_of(old)];
    if (old != top)
        return;
#ifdef READ_TWICE
    s->removers = 1;
    if (!is_empty(value_of(old)) || !exchange(&top, old, successor(old, s->below)))
        s->removers = 0;
#else
    atomic_fetch_add(&s->removers, 1);
    if (!is_empty(value_of(old)) || !exchange(&top, old, successor(old, s->below)))
        atomic_fetch_sub(&s->removers, 1);
#endif
}

/* --- adding ------------------------------------------------------------------------------------------------------------------ */

/* Makes the remover fail, or takes the item back. */
static bool outdo_remover(word old, _Atomic word *slot, word item)
{
    if (old == top && exchange(&top, old, successor(old, value_of(old))))
        return true;
    return !exchange(slot, item, successor(item, 0));
}

static bool is_committed(word old, _Atomic word *slot, word item)
{
    struct segment *s = &segments[value_of(old)];
    if (*slot != item)
        return true; /* taken already */
#ifdef READ_TWICE
    if (s->removers == 0)
        return true;
    if (s->removers == 1)
        return outdo_remover(old, slot, item);
    return false;
#else
    return s->removers == 0 || outdo_remover(old, slot, item);
#endif
}

static void add(uint32_t item)
{
    for (;;) {
        word old = top, free;
        _Atomic word *slot = find_slot(value_of(old), true, &free);
        if (old != top)
            continue;
        if (!slot) {
            if (add_segment(old, item))
                return;
            continue;
        }
        word new = successor(free, item);
        if (exchange(slot, free, new) && is_committed(old, slot, new))
            return;
    }
}

/* --- taking away --------------------------------------------------------------------------------------------------------------- */

static bool remove_any(uint32_t *item)
{
    for (;;) {
        word old = top, found;
        _Atomic word *slot = find_slot(value_of(old), false, &found);
        if (old != top)
            continue;
        if (slot) {
            if (exchange(slot, found, successor(found, 0))) {
                *item = value_of(found);
                return true;
            }
        } else if (segments[value_of(old)].below) {
            try_to_remove(old);
        } else if (is_empty(value_of(old)) && old == top) {
            return false;
        }
    }
}

/* --- the harness ------------------------------------------------------------------------------------------------------------------ */

PLUMB_OBJECT(stack)

PLUMB_SETUP()
{
    segment_count = 1;
    top = 1;
}

PLUMB_OP(push, int, item)
{
    add((uint32_t)item);
    return PLUMB_OK;
}

PLUMB_OP(pop)
{
    uint32_t item;
    return remove_any(&item) ? PLUMB_INT(item) : PLUMB_NONE;
}
