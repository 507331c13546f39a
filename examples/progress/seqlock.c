/* SPDX-License-Identifier: Apache-2.0 */
/* A register of two words. Readers of a sequence lock wait for a writer that has stopped half-way. */
#include <plumb.h>

#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int low, high;

PLUMB_OBJECT()
PLUMB_ROLE(writer, write)
PLUMB_ROLE_MANY(reader, read)
PLUMB_TEST("write(1) | read")

PLUMB_OP(write, int, v)
{
    unsigned s = atomic_load(&sequence);
    atomic_store(&sequence, s + 1);
    atomic_store(&low, v);
    atomic_store(&high, -v);
    atomic_store(&sequence, s + 2);
    return PLUMB_OK;
}

PLUMB_OP(read)
{
    for (;;) {
        unsigned s = atomic_load(&sequence);
        int l = atomic_load(&low), h = atomic_load(&high);
        if (s % 2 == 0 && atomic_load(&sequence) == s)
            return PLUMB_INT(l - h);
    }
}
