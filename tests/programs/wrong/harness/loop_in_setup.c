/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated runaway */
/* races: inconclusive */
/* machine: x86-64 */
/* flags-plumb: --test 'add(1) | add(2)' */
/* note: the set-up never ends, without a visible step */
#include <plumb.h>

static volatile int going = 1;

PLUMB_OBJECT(counter)
PLUMB_SETUP()
{
    while (going) {
    }
}
PLUMB_OP(add, int, n)
{
    (void)n;
    return PLUMB_OK;
}
