/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* mode: all */
/* machine: x86-64 */
#include <stdio.h>

const char *input = "a-long-word 1";

int main(void)
{
    char word[4];
    return sscanf(input, "%s", word) != 1;
}
