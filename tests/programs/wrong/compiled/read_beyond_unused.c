/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* note: for nothing */
#include <stdlib.h>

static __attribute__((noinline)) void look(int *p, int i)
{
    int unused = p[i];
    (void)unused;
}

int main(void)
{
    int *p = calloc(2, sizeof *p);
    look(p, 2);
    free(p);
    return 0;
}
