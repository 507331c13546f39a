/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* flags-plumb: --test 'add(1) | add(2)' */
#include <assert.h>
#include <plumb.h>

static int capacity = 3;

PLUMB_OBJECT(counter)
PLUMB_SETUP()
{
    assert((capacity & (capacity - 1)) == 0);
}
PLUMB_OP(add, int, n)
{
    (void)n;
    return PLUMB_OK;
}
