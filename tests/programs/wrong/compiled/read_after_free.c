/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free */
/* note: for nothing */
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
    int unused = *p;
    (void)unused;
    return 0;
}
