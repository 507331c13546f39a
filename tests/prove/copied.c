/* SPDX-License-Identifier: Apache-2.0 */
/* A structure that threads share is copied as a whole. */
#include <plumb.h>
#include <string.h>

static struct pair {
    long a, b, c, more[20];
} pair;

PLUMB_OBJECT(register)

PLUMB_OP(write, int, v)
{
    struct pair p = {v, v, v};
    pair = p;
    return PLUMB_OK;
}

PLUMB_OP(read)
{
    struct pair p = pair;
    return PLUMB_INT(p.a + p.b == 2 * p.c ? p.a : 99);
}
