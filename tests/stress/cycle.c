/* SPDX-License-Identifier: Apache-2.0 */
/* A removal that removes nothing: the thread that takes out what is left is never done. */
#include <plumb.h>

#include <stdatomic.h>

static atomic_int last;

PLUMB_OBJECT(stack)

PLUMB_OP(push, int, v)
{
    atomic_store(&last, v);
    return PLUMB_OK;
}

PLUMB_OP(pop)
{
    int v = atomic_load(&last);
    return v ? PLUMB_INT(v) : PLUMB_NONE;
}
