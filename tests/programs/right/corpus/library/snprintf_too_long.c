/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *text = malloc(6);
    snprintf(text, 6, "%s", "abcdef");
    free(text);
    return 0;
}
