/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* mode: all */
/* note: strcpy into an array of the stack that is one too small */
#include <string.h>

const char *name = "plumbline";
int seen;

int main(void)
{
    char copy[9];
    strcpy(copy, name);
    seen = copy[0];
    return 0;
}
