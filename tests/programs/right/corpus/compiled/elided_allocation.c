/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <stdlib.h>

int main(void)
{
    char *text = malloc(11);
    text[10] = 0;
    free(text);
    return 0;
}
