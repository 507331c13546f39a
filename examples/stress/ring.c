/* SPDX-License-Identifier: Apache-2.0 */
/* Vyukov's bounded queue for any number of threads: the sequence number of a cell says for which lap it is free (2 * lap), or, one higher,
 * that it has the element of that lap. Here it is one too small when the element is in: free and filled look the same, and a reader
 * takes what was in the cell before. The ends are compared, so that "empty" and "full" are exact, and calls one after the other
 * are right.
 *
 * A full ring is not part of the specification: rounds in which it gets full do not count. */
#include <plumb.h>
#include <stdatomic.h>

enum { CELLS = 1 << 16 };
#ifdef FIXED
enum { FILLED = 1 };
#else
enum { FILLED = 0 };
#endif

static struct cell {
    atomic_ulong sequence;
    _Atomic long value;
} cells[CELLS];

static atomic_ulong head, tail;

static unsigned long free_at(unsigned long position)
{
    return position / CELLS * 2;
}

PLUMB_OBJECT(queue)

PLUMB_SETUP()
{
    for (unsigned long i = 0; i < tail && i < CELLS; i++) {
        cells[i].sequence = 0;
        cells[i].value = 0;
    }
    head = tail = 0;
}

PLUMB_OP(enq, long, value)
{
    for (;;) {
        unsigned long position = tail;
        struct cell *c = &cells[position % CELLS];
        plumb_assume(position - head < CELLS || position != tail);
        if (c->sequence == free_at(position) &&
            atomic_compare_exchange_strong(&tail, &position, position + 1)) {
            c->value = value;
            c->sequence = free_at(position) + FILLED;
            return PLUMB_OK;
        }
    }
}

PLUMB_OP(deq)
{
    for (;;) {
        unsigned long position = head;
        struct cell *c = &cells[position % CELLS];
        if (position == tail)
            return PLUMB_NONE;
        if (c->sequence == free_at(position) + FILLED &&
            atomic_compare_exchange_strong(&head, &position, position + 1)) {
            long value = c->value;
            c->sequence = free_at(position + CELLS);
            return PLUMB_INT(value);
        }
    }
}

PLUMB_TEST("enq(1) | deq deq")
