/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock|endless|spin */
/* command: auto */
/* flags-plumb: --size 2x2 */
/* note: a waiting writer stops a thread that reads from reading once more, which a recursive lock promises */
#include <plumb.h>
#include <stdatomic.h>

enum { WRITER = 1, WRITER_WAITS = 2, READER = 4 };
static atomic_uint state;

PLUMB_OBJECT(rwlock(recursive))
PLUMB_OP(read_lock)
{
    for (;;) {
        unsigned s = atomic_load(&state);
        if (!(s & (WRITER | WRITER_WAITS)) && atomic_compare_exchange_strong(&state, &s, s + READER))
            return PLUMB_OK;
    }
}
PLUMB_OP(read_unlock)
{
    atomic_fetch_sub(&state, READER);
    return PLUMB_OK;
}
PLUMB_OP(write_lock)
{
    for (;;) {
        unsigned s = atomic_load(&state);
        if (!(s & ~WRITER_WAITS) && atomic_compare_exchange_strong(&state, &s, WRITER))
            return PLUMB_OK;
        if (!(s & WRITER_WAITS))
            atomic_fetch_or(&state, WRITER_WAITS);
    }
}
PLUMB_OP(write_unlock)
{
    atomic_fetch_and(&state, ~(unsigned)WRITER);
    return PLUMB_OK;
}
