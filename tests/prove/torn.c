/* SPDX-License-Identifier: Apache-2.0 */
/* Plain halves: between the two stores the register has neither value. Merging plain accesses would hide it. */
#include <plumb.h>

static int low, high;

PLUMB_OBJECT(register)

PLUMB_OP(write, int, v)
{
    low = v & 1;
    high = v >> 1;
    return PLUMB_OK;
}

PLUMB_OP(read)
{
    int h = high;
    return PLUMB_INT(low + 2 * h);
}
