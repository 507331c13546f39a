/* SPDX-License-Identifier: Apache-2.0 */
/* A queue whose removals wait for an item: they go round, but look at what additions write. Not a word of rounds that touch nothing. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int slot;

PLUMB_OBJECT(queue)

PLUMB_OP(deq)
{
    int item;
    do
        item = atomic_load(&slot);
    while (!item || !atomic_compare_exchange_strong(&slot, &item, 0));
    return PLUMB_INT(item);
}

PLUMB_OP(enq, int, v)
{
    int none = 0;
    return atomic_compare_exchange_strong(&slot, &none, v) ? PLUMB_OK : PLUMB_BOOL(false);
}
