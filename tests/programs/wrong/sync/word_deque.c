/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated synchronization */
/* mode: all */
/* sc: holds */
/* tso: holds */
/* flags-plumb: --test 'push_back(1) push_front(2) | pop_front pop_back' */
/* note: all elements are in one word, the front in its lowest bits */
#include <plumb.h>
#include <stdatomic.h>

#ifndef UPDATE /* right/sync has the orders that are needed */
#define UPDATE memory_order_relaxed
#endif

static atomic_uint elements;

static int last_of(unsigned word)
{
    int last = 0;
    while (word >> (last + 4))
        last += 4;
    return last;
}

static unsigned change(unsigned old, int v, bool at_front)
{
    unsigned at_back = old ? (unsigned)v << (last_of(old) + 4) : (unsigned)v;
    return at_front ? old << 4 | (unsigned)v : old | at_back;
}

static void push(int v, bool at_front)
{
    unsigned old = atomic_load_explicit(&elements, memory_order_relaxed);
    while (!atomic_compare_exchange_strong_explicit(&elements, &old, change(old, v, at_front), UPDATE,
                                                    memory_order_relaxed))
        ;
}

static plumb_value pop(bool at_front)
{
    unsigned old = atomic_load_explicit(&elements, memory_order_relaxed), rest;
    do {
        if (!old)
            return PLUMB_NONE;
        rest = at_front ? old >> 4 : old & ((1u << last_of(old)) - 1);
    } while (!atomic_compare_exchange_strong_explicit(&elements, &old, rest, UPDATE, memory_order_relaxed));
    return PLUMB_INT(at_front ? old & 15 : old >> last_of(old));
}

PLUMB_OBJECT(deque)
PLUMB_OP(push_front, int, v)
{
    push(v, true);
    return PLUMB_OK;
}
PLUMB_OP(push_back, int, v)
{
    push(v, false);
    return PLUMB_OK;
}
PLUMB_OP(pop_front)
{
    return pop(true);
}
PLUMB_OP(pop_back)
{
    return pop(false);
}
