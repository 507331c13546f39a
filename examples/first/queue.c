/* SPDX-License-Identifier: Apache-2.0 */
#include <plumb.h>
#include <stdatomic.h>

static _Atomic long slot[8];
static atomic_int head, tail;

PLUMB_OBJECT(queue)
PLUMB_OP(enq, long, v)
{
    slot[tail++] = v;
    return PLUMB_OK;
}
PLUMB_OP(deq)
{
    int first = head;
    do
        if (first == tail)
            return PLUMB_NONE;
    while (!atomic_compare_exchange_weak(&head, &first, first + 1));
    return PLUMB_INT(slot[first]);
}
