/* SPDX-License-Identifier: Apache-2.0 */
/* A function stops at a hook after it has pushed registers of its caller, which it has not changed yet: it is the words on the stack that come back. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int value, copies[3];

PLUMB_OBJECT(register)

__attribute__((noinline)) static int agree(const atomic_int *at)
{
    int a = atomic_load(at);
    if (!a)
        return 0;
    int b = atomic_load(at + 1), c = atomic_load(at + 2);
    return a == b && b == c && atomic_load(at) == a && atomic_load(at + 1) == b && atomic_load(at + 2) == c;
}

PLUMB_OP(write, int, v)
{
    atomic_store(&value, v);
    for (int i = 0; i < 3; i++)
        atomic_store(&copies[i], v);
    return PLUMB_OK;
}

PLUMB_OP(read)
{
    int v = atomic_load(&value), w = atomic_load(&copies[2]), same = agree(copies);
    if (same < 0 || w < 0)
        return PLUMB_INT(w);
    return PLUMB_INT(same + v - same);
}
