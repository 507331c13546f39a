/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated synchronization */
/* mode: all */
/* sc: holds */
/* tso: holds */
/* flags-plumb: --test 'push(1) pop | push(2) pop' */
/* note: all elements are in one word */
#include <plumb.h>
#include <stdatomic.h>

#ifndef UPDATE /* right/sync has the orders that are needed */
#define UPDATE memory_order_relaxed
#endif

static atomic_uint elements;

PLUMB_OBJECT(stack)
PLUMB_OP(push, int, v)
{
    unsigned old = atomic_load_explicit(&elements, memory_order_relaxed);
    while (!atomic_compare_exchange_strong_explicit(&elements, &old, old << 4 | (unsigned)v, UPDATE,
                                                    memory_order_relaxed))
        ;
    return PLUMB_OK;
}
PLUMB_OP(pop)
{
    unsigned old = atomic_load_explicit(&elements, memory_order_relaxed);
    do {
        if (!old)
            return PLUMB_NONE;
    } while (
        !atomic_compare_exchange_strong_explicit(&elements, &old, old >> 4, UPDATE, memory_order_relaxed));
    return PLUMB_INT(old & 15);
}
