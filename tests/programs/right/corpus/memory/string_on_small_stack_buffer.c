/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <string.h>

const char *name = "plumbline";
int seen;

int main(void)
{
    char copy[10];
    strcpy(copy, name);
    seen = copy[0];
    return 0;
}
