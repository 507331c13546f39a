/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* mode: all */
/* note: one place too few: the block is never read, so compilers remove block and store together */
#include <stdlib.h>

int main(void)
{
    char *text = malloc(10);
    text[10] = 0;
    free(text);
    return 0;
}
