/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free */
/* note: it is not read any more */
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
    *p = 2;
    return 0;
}
