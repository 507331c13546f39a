/* SPDX-License-Identifier: Apache-2.0 */
/* More stack than there is here, though less than programs usually have: no word of a crash. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int value;

PLUMB_OBJECT(register)

__attribute__((noinline)) static int go_down(int depth)
{
    volatile int here[64];
    here[depth & 63] = depth;
    return depth ? go_down(depth - 1) + here[depth & 63] - depth : 0;
}

PLUMB_OP(write, int, v)
{
    atomic_store(&value, v + go_down(3000));
    return PLUMB_OK;
}

PLUMB_OP(read)
{
    return PLUMB_INT(atomic_load(&value));
}
