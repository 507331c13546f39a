/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* mode: all */
/* note: the size given to snprintf is larger than the block, by the terminating zero */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *text = malloc(6);
    snprintf(text, 7, "%s", "abcdef");
    free(text);
    return 0;
}
