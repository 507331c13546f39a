/* SPDX-License-Identifier: Apache-2.0 */
/* A bounded queue for many producers and many consumers (Vyukov): the number in each cell says whose turn it is. Who finds it full
 * waits. */
#include <plumb.h>

#include <stdatomic.h>

enum { SIZE = 2 };

static struct cell {
    atomic_uint turn;
    int item;
} cells[SIZE];
static atomic_uint written, read_;

PLUMB_OBJECT(queue)
PLUMB_TEST("enq(1) enq(2) => enq(3) | deq deq")

PLUMB_SETUP()
{
    for (unsigned i = 0; i < SIZE; i++)
        atomic_init(&cells[i].turn, i);
}

PLUMB_OP(enq, int, v)
{
    unsigned w = atomic_load_explicit(&written, memory_order_seq_cst);
    for (;;) {
        struct cell *c = &cells[w % SIZE];
        int ahead = (int)(atomic_load_explicit(&c->turn, memory_order_seq_cst) - w);
        if (ahead == 0 && atomic_compare_exchange_strong_explicit(&written, &w, w + 1, memory_order_seq_cst,
                                                                  memory_order_seq_cst)) {
            c->item = v;
            atomic_store_explicit(&c->turn, w + 1, memory_order_seq_cst);
            return PLUMB_OK;
        }
        if (ahead != 0)
            w = atomic_load_explicit(&written, memory_order_seq_cst);
    }
}

PLUMB_OP(deq)
{
    unsigned r = atomic_load_explicit(&read_, memory_order_seq_cst);
    for (;;) {
        struct cell *c = &cells[r % SIZE];
        int ahead = (int)(atomic_load_explicit(&c->turn, memory_order_seq_cst) - (r + 1));
        if (ahead < 0)
            return PLUMB_NONE;
        if (ahead == 0 && atomic_compare_exchange_strong_explicit(&read_, &r, r + 1, memory_order_seq_cst,
                                                                  memory_order_seq_cst)) {
            int v = c->item;
            atomic_store_explicit(&c->turn, r + SIZE, memory_order_seq_cst);
            return PLUMB_INT(v);
        }
        if (ahead > 0)
            r = atomic_load_explicit(&read_, memory_order_seq_cst);
    }
}
