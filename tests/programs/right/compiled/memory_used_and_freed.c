/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <stdlib.h>

static __attribute__((noinline)) void look(int *p, int i)
{
    int unused = p[i];
    (void)unused;
}

int main(void)
{
    int *p = calloc(2, sizeof *p);
    p[1] = 1;
    p[1] = 2;
    look(p, 1);
    free(p);
    free(malloc(8));
    return 0;
}
