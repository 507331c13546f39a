/* SPDX-License-Identifier: Apache-2.0 */
/* A register that answers what is too long to be recorded: it could be anything, and the verdict says so. */
#include <plumb.h>
#include <string.h>

static char answer[1 << 20];

PLUMB_OBJECT(register)

PLUMB_SETUP()
{
    memset(answer, 'x', sizeof answer - 1);
}

PLUMB_OP(read)
{
    return PLUMB_STRING(answer);
}
