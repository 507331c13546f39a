/* SPDX-License-Identifier: Apache-2.0 */
#include <plumb.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { ROOM = 2 };

static atomic_int places[ROOM];
static atomic_uint taken, filled;

static bool put(int value)
{
    for (;;) {
        unsigned out = atomic_load(&taken), in = atomic_load(&filled);
        if (in - out >= ROOM)
            return false;
        int none = 0;
        if (atomic_compare_exchange_strong(&places[in % ROOM], &none, value)) {
            atomic_compare_exchange_strong(&filled, &in, in + 1);
            return true;
        }
        atomic_compare_exchange_strong(&filled, &in, in + 1);
    }
}

static int take(void)
{
    unsigned out = atomic_load(&taken);
    if (out == atomic_load(&filled))
        return 0;
    int value = atomic_exchange(&places[out % ROOM], 0);
    atomic_store(&taken, out + 1);
    return value;
}

PLUMB_OBJECT(queue(cap = 2))
PLUMB_ROLE(consumer, deq)

PLUMB_OP(enq, int, v)
{
    return PLUMB_BOOL(put(v));
}

PLUMB_OP(deq)
{
    int v = take();
    return v ? PLUMB_INT(v) : PLUMB_NONE;
}

PLUMB_TEST("enq(1) => enq(2) | deq enq(3)")
