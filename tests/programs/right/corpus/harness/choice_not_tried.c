/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <assert.h>
#include <plumb.h>

static int table[3];

int main(void)
{
    unsigned index = plumb_choose(3);
    assert(index < sizeof table / sizeof table[0]);
    table[index] = 1;
    return 0;
}
