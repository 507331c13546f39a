/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated crash */
/* flags-plumb: --test 'add(1) | add(2)' */
/* note: the set-up writes through a null pointer */
#include <plumb.h>
#include <stddef.h>

static int *volatile where = NULL;

PLUMB_OBJECT(counter)
PLUMB_SETUP()
{
    *where = 1;
}
PLUMB_OP(add, int, n)
{
    (void)n;
    return PLUMB_OK;
}
