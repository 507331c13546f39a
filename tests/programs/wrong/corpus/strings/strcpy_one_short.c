/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* mode: all */
/* note: the terminating zero does not fit */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *name = "plumb";
    char *copy = malloc(strlen(name));
    strcpy(copy, name);
    free(copy);
    return 0;
}
