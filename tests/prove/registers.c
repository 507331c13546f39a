/* SPDX-License-Identifier: Apache-2.0 */
/* A register with a compare and swap. WRITER: one thread writes, all of them read. LATE: it is written
 * and then taken back, for a moment. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int value;

PLUMB_OBJECT(register)

PLUMB_OP(write, int, v)
{
#ifdef LATE
    int before = atomic_load(&value);
    atomic_store(&value, v);
    atomic_store(&value, before);
#endif
    atomic_store(&value, v);
    return PLUMB_OK;
}

PLUMB_OP(read)
{
    return PLUMB_INT(atomic_load(&value));
}

#ifdef WRITER
PLUMB_ROLE(writer, write)
#else
PLUMB_OP(cas, int, old, int, new)
{
    return PLUMB_BOOL(atomic_compare_exchange_strong(&value, &old, new));
}
#endif
