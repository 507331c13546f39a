/* SPDX-License-Identifier: Apache-2.0 */
/* A sequence lock around two words that belong together: the number is odd while they are written, and a reader whose number has
 * changed begins again. -DFENCES: with fences where Boehm (MSPC 2012) has them. */
#include <plumb.h>

#include <assert.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int left, right;

PLUMB_OBJECT(register)
PLUMB_ROLE(writer, write)
PLUMB_ROLE_MANY(reader, read)
PLUMB_TEST("write(1) write(2) | read read")

PLUMB_OP(write, int, v)
{
    unsigned s = atomic_load_explicit(&sequence, memory_order_seq_cst);
    atomic_store_explicit(&sequence, s + 1, memory_order_seq_cst);
#ifdef FENCES
    atomic_thread_fence(memory_order_seq_cst);
#endif
    atomic_store_explicit(&left, v, memory_order_seq_cst);
    atomic_store_explicit(&right, v, memory_order_seq_cst);
    atomic_store_explicit(&sequence, s + 2, memory_order_seq_cst);
    return PLUMB_OK;
}

PLUMB_OP(read)
{
    unsigned before, after;
    int l, r;
    do {
        before = atomic_load_explicit(&sequence, memory_order_seq_cst);
        l = atomic_load_explicit(&left, memory_order_seq_cst);
        r = atomic_load_explicit(&right, memory_order_seq_cst);
#ifdef FENCES
        atomic_thread_fence(memory_order_seq_cst);
#endif
        after = atomic_load_explicit(&sequence, memory_order_seq_cst);
    } while (before != after || before % 2);
    assert(l == r);
    return PLUMB_INT(l);
}
