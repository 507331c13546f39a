/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated abort */
/* flags-plumb: --test 'add(1) | add(2)' */
#include <plumb.h>
#include <stdlib.h>

PLUMB_OBJECT(counter)
PLUMB_SETUP()
{
    abort();
}
PLUMB_OP(add, int, n)
{
    (void)n;
    return PLUMB_OK;
}
