/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated not-linearizable */
/* mode: all */
/* sc: holds */
/* tso: holds */
/* flags-plumb: --test 'add(1) | add(2) | contains(1) contains(2) | contains(2) contains(1)' */
/* note: two readers disagree on which element came first; hardware with one memory for all never shows it */
#include <plumb.h>
#include <stdatomic.h>

static atomic_bool members[4];

PLUMB_OBJECT(set)
PLUMB_OP(add, int, v)
{
    return PLUMB_BOOL(!atomic_exchange_explicit(&members[v], 1, memory_order_acq_rel));
}

PLUMB_OP(contains, int, v)
{
    return PLUMB_BOOL(atomic_load_explicit(&members[v], memory_order_acquire));
}
