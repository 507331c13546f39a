/* SPDX-License-Identifier: Apache-2.0 */
/* A variable on the stack is compared before it was written: it is not zero, nor anything else. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int value;

PLUMB_OBJECT(register)

__attribute__((noinline)) static void look(int *at, int wanted)
{
    if (*at != wanted)
        *at = atomic_load(&value);
}

PLUMB_OP(write, int, v)
{
    atomic_store(&value, v);
    return PLUMB_OK;
}

PLUMB_OP(read)
{
    int found;
    look(&found, 0);
    return PLUMB_INT(found);
}
