/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated synchronization */
/* mode: all */
/* sc: holds */
/* tso: holds */
/* flags-plumb: --test 'read_lock read_unlock | write_lock write_unlock' */
/* note: what a reader has read before its read_unlock may be what the next writer writes */
#include <plumb.h>
#include <stdatomic.h>

#ifndef READER_LEAVES /* right/sync has the order that is needed */
#define READER_LEAVES memory_order_relaxed
#endif

static atomic_int state; /* readers, or -1 */

PLUMB_OBJECT(rwlock)
PLUMB_OP(read_lock)
{
    int readers = 0;
    while (!atomic_compare_exchange_strong_explicit(&state, &readers, readers + 1, memory_order_acquire,
                                                    memory_order_relaxed))
        readers = readers < 0 ? 0 : readers;
    return PLUMB_OK;
}
PLUMB_OP(read_unlock)
{
    atomic_fetch_sub_explicit(&state, 1, READER_LEAVES);
    return PLUMB_OK;
}
PLUMB_OP(write_lock)
{
    int free = 0;
    while (!atomic_compare_exchange_strong_explicit(&state, &free, -1, memory_order_acquire,
                                                    memory_order_relaxed))
        free = 0;
    return PLUMB_OK;
}
PLUMB_OP(write_unlock)
{
    atomic_store_explicit(&state, 0, memory_order_release);
    return PLUMB_OK;
}
