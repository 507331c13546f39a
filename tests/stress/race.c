/* SPDX-License-Identifier: Apache-2.0 */
/* The answers are right, and there is a data race. */
#include <plumb.h>

#include <stdatomic.h>

static atomic_long count;
#ifdef FIXED
static atomic_int calls;
#else
static int calls;
#endif

PLUMB_OBJECT(counter)

PLUMB_SETUP()
{
    count = 0;
    calls = 0;
}

PLUMB_OP(add, long, n)
{
    calls++;
    count += n;
    return PLUMB_OK;
}

PLUMB_OP(get)
{
    return PLUMB_INT(count);
}
