/* SPDX-License-Identifier: Apache-2.0 */
/* A queue of segments: a list whose nodes have K + 1 slots. enq uses any free slot of the last segment, deq takes any item of the first one, so
 * an item is at most K places out of order: the queue is K-quasi linearizable. Here enq begins at the first slot, and each thread's first deq at
 * the last one, its second at the first, and so on: which is as far out of order as it gets.
 *
 * A slot is free, then has an item, then is used up forever. "Empty" needs care: a deq that has seen no item may have missed one that
 * came to a slot it had looked at already, while another one left from a slot ahead. It looks a second time: if
 * nothing has changed, there was no item in between. All accesses are sequentially consistent, so that there is an "in between".
 *
 * Bugs:
 *   -DTOO_FAR       deq takes items of the second segment if there is one, up to 2K + 1 places early
 *   -DTWICE         deq takes an item with a load and a store: two threads may take the same one
 *   -DEMPTY_ONCE    deq believes in "empty" after one look */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef K
#define K 2
#endif

enum { SLOTS = K + 1, FREE = 0, USED_UP = -1 };

struct segment {
    atomic_int slots[SLOTS];
    struct segment *_Atomic next;
};

static struct segment *first; /* of all, for the end */
static struct segment *_Atomic head, *_Atomic tail;
static _Thread_local bool forwards; /* the next deq of this thread */

/* --- adding -------------------------------------------------------------------------------------------------------- */

static bool put(struct segment *s, int item)
{
    for (int i = 0; i < SLOTS; i++) {
        int expected = FREE;
        if (s->slots[i] == FREE && atomic_compare_exchange_strong(&s->slots[i], &expected, item))
            return true;
    }
    return false;
}

/* A full segment stays full. */
static void append_segment(struct segment *last)
{
    struct segment *next = last->next, *fresh = NULL;
    if (!next) {
        fresh = calloc(1, sizeof *fresh);
        if (atomic_compare_exchange_strong(&last->next, &next, fresh))
            next = fresh;
        else
            free(fresh); /* next is another one's now */
    }
    atomic_compare_exchange_strong(&tail, &last, next);
}

static void add(int item)
{
    for (;;) {
        struct segment *last = tail;
        if (put(last, item))
            return;
        append_segment(last);
    }
}

/* --- taking away ----------------------------------------------------------------------------------------------------- */

static bool use_up(atomic_int *slot, int item)
{
#ifdef TWICE
    if (*slot != item)
        return false;
    *slot = USED_UP;
    return true;
#else
    return atomic_compare_exchange_strong(slot, &item, USED_UP);
#endif
}

/* An item; FREE: there is none, and what was seen is in `seen`. */
static int take(struct segment *s, int *seen)
{
    for (int k = 0; k < SLOTS; k++) {
        int i = forwards ? k : SLOTS - 1 - k;
        seen[i] = s->slots[i];
        if (seen[i] != FREE && seen[i] != USED_UP) {
            if (use_up(&s->slots[i], seen[i]))
                return seen[i];
            seen[i] = USED_UP;
        }
    }
    return FREE;
}

static bool looks_the_same(struct segment *s, const int *seen)
{
#ifdef EMPTY_ONCE
    (void)s, (void)seen;
    return true;
#else
    for (int i = 0; i < SLOTS; i++)
        if (s->slots[i] != seen[i])
            return false;
    return true;
#endif
}

static bool is_used_up(const int *seen)
{
    for (int i = 0; i < SLOTS; i++)
        if (seen[i] != USED_UP)
            return false;
    return true;
}

/* False: it was empty. */
static bool remove_any(int *item)
{
    for (;;) {
        struct segment *s = head, *next;
        int seen[SLOTS];
#ifdef TOO_FAR
        next = s->next;
        if (next && (*item = take(next, seen)) != FREE)
            return true;
#endif
        if ((*item = take(s, seen)) != FREE)
            return true;
        if (!is_used_up(seen)) {
            if (looks_the_same(s, seen))
                return false;
            continue;
        }
        next = s->next;
        if (!next)
            return false;
        atomic_compare_exchange_strong(&head, &s, next);
    }
}

/* --- the harness ------------------------------------------------------------------------------------------------------ */

PLUMB_OBJECT(queue)

PLUMB_SETUP()
{
    first = calloc(1, sizeof *first);
    head = tail = first;
    forwards = false;
}

PLUMB_OP(enq, int, item)
{
    add(item);
    return PLUMB_OK;
}

PLUMB_OP(deq)
{
    int item;
    bool found = remove_any(&item);
    forwards = !forwards;
    return found ? PLUMB_INT(item) : PLUMB_NONE;
}

PLUMB_TEARDOWN()
{
    while (first) {
        struct segment *next = first->next;
        free(first);
        first = next;
    }
}
