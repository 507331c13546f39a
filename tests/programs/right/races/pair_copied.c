/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags: -mcx16 -w */
/* flags-plumb: --races=allow --test 'read | write(1) | write(2) => read' */
/* note: 16 bytes are copied plainly and exchanged as a whole: no loop but that of the exchange */
#include <plumb.h>

#include <stdint.h>

static struct head {
    uint64_t top, count;
} __attribute__((aligned(16))) head;

PLUMB_OBJECT(register)

PLUMB_OP(read)
{
    struct head seen = head;
    return PLUMB_INT(seen.top);
}

PLUMB_OP(write, int, v)
{
    struct head old = head, new;
    do {
        new.top = (uint64_t)v;
        new.count = old.count + 1;
    } while (!__atomic_compare_exchange((__int128 *)&head, (__int128 *)&old, (__int128 *)&new, 0,
                                        __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    return PLUMB_OK;
}
