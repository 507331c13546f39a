/* SPDX-License-Identifier: Apache-2.0 */
/* A part of the stack that others know. */
#include <plumb.h>
#include <alloca.h>
#include <stdatomic.h>
_Atomic(int *) p; /* or it could become a local variable */
static atomic_int n;
PLUMB_OBJECT(register)
PLUMB_OP(write, int, v)
{
    int *q = alloca(4 * (unsigned)v);
    q[0] = v;
    atomic_store(&p, q);
    atomic_store(&n, *atomic_load(&p));
    return PLUMB_OK;
}
PLUMB_OP(read)
{
    return PLUMB_INT(atomic_load(&n));
}
