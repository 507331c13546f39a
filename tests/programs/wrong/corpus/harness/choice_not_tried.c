/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: one of the chosen sizes is larger than the table */
#include <assert.h>
#include <plumb.h>

static int table[3];

int main(void)
{
    unsigned index = plumb_choose(4);
    assert(index < sizeof table / sizeof table[0]);
    table[index] = 1;
    return 0;
}
