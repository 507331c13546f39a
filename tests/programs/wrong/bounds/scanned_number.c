/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* mode: all */
/* machine: x86-64 */
/* flags: -w */
/* note: no array at all: a number of the wrong type */
#include <stdio.h>

const char *input = "12";

int main(void)
{
    char number = 0;
    sscanf(input, "%d", (int *)&number);
    return number == 0;
}
