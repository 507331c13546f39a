/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *name = "plumb";
    char *copy = malloc(strlen(name) + 1);
    strcpy(copy, name);
    free(copy);
    return 0;
}
