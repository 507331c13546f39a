/* SPDX-License-Identifier: Apache-2.0 */
/* A ring for one producer and one consumer, with counters of eight bits that wrap (or others, NUMBER). */
#include <plumb.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { SLOTS = 2 };
static int slots[SLOTS];
#ifndef NUMBER
#define NUMBER unsigned char
#endif
static _Atomic NUMBER written, removed;

PLUMB_OBJECT(queue(cap = 2))
PLUMB_ROLE(producer, enq)
PLUMB_ROLE(consumer, deq)

PLUMB_OP(enq, int, v)
{
    NUMBER w = atomic_load(&written);
    if ((NUMBER)(w - atomic_load(&removed)) == SLOTS)
        return PLUMB_BOOL(false);
    slots[w % SLOTS] = v;
    atomic_store(&written, (NUMBER)(w + 1));
    return PLUMB_BOOL(true);
}

PLUMB_OP(deq)
{
    NUMBER r = atomic_load(&removed);
    if (r == atomic_load(&written))
        return PLUMB_NONE;
    int v = slots[r % SLOTS];
    atomic_store(&removed, (NUMBER)(r + 1));
    return PLUMB_INT(v);
}
