/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* note: five digits and the end do not fit into four bytes */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    volatile int number = 12345;
    char *text = malloc(4);
    sprintf(text, "%d", number);
    free(text);
    return 0;
}
