/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <assert.h>
#include <plumb.h>

int main(void)
{
    unsigned divisor = plumb_choose(3);
    plumb_assume(divisor != 0);
    assert(divisor != 0);
    return 12 / (int)divisor > 12;
}
