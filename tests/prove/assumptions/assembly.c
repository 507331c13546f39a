/* SPDX-License-Identifier: Apache-2.0 */
/* A counter that is read and written by assembly, in two steps. */
#include <plumb.h>

static int value;

PLUMB_OBJECT(register)

PLUMB_OP(write, int, v)
{
    __asm__ volatile("movl %1, %0" : "=m"(value) : "r"(v));
    return PLUMB_OK;
}

PLUMB_OP(read)
{
    return PLUMB_INT(value);
}
