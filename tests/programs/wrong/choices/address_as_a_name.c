/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: dfs */
/* flags-plumb: --reuse */
/* note: two addresses are compared as if they were names of objects */
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    long *first = malloc(sizeof *first);
    volatile unsigned long name = (unsigned long)first;
    *first = 7;
    free(first);
    long *second = malloc(sizeof *second - 1);
    int same = name == (unsigned long)second;
    free(second);
    assert(!same);
}
