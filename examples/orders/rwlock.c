/* SPDX-License-Identifier: Apache-2.0 */
/* The reader-writer spin lock of the Linux kernel, one counter with a bias, and what it protects. */
#include <plumb.h>

#include <stdatomic.h>

enum { BIAS = 0x100000 };

static atomic_int left = BIAS;
static int value;

PLUMB_OBJECT(rwlock)
PLUMB_TEST("read_lock read_unlock write_lock write_unlock | read_lock read_unlock write_lock write_unlock")

PLUMB_OP(read_lock)
{
    while (atomic_fetch_sub_explicit(&left, 1, memory_order_seq_cst) <= 0) {
        atomic_fetch_add_explicit(&left, 1, memory_order_seq_cst);
        while (atomic_load_explicit(&left, memory_order_seq_cst) <= 0)
            ;
    }
    volatile int seen = value;
    (void)seen;
    return PLUMB_OK;
}

PLUMB_OP(read_unlock)
{
    atomic_fetch_add_explicit(&left, 1, memory_order_seq_cst);
    return PLUMB_OK;
}

PLUMB_OP(write_lock)
{
    while (atomic_fetch_sub_explicit(&left, BIAS, memory_order_seq_cst) != BIAS) {
        atomic_fetch_add_explicit(&left, BIAS, memory_order_seq_cst);
        while (atomic_load_explicit(&left, memory_order_seq_cst) != BIAS)
            ;
    }
    value++;
    return PLUMB_OK;
}

PLUMB_OP(write_unlock)
{
    atomic_fetch_add_explicit(&left, BIAS, memory_order_seq_cst);
    return PLUMB_OK;
}
