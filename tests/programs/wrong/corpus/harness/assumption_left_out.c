/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: without the assumption the divisor may be zero */
#include <assert.h>
#include <plumb.h>

int main(void)
{
    unsigned divisor = plumb_choose(3);
    assert(divisor != 0);
    return 12 / (int)divisor > 12;
}
