/* SPDX-License-Identifier: Apache-2.0 */
/* A function without hooks. */
#include <plumb.h>

static volatile int value;

__attribute__((no_sanitize("thread"), noinline)) static void set(int v)
{
    value = 3 - v;
    value = v;
}

PLUMB_OBJECT(register)

PLUMB_OP(write, int, v)
{
    set(v);
    return PLUMB_OK;
}

PLUMB_OP(read)
{
    return PLUMB_INT(value);
}
