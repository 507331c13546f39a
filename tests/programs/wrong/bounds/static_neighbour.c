/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* mode: all */
/* note: from one static array into its neighbour */
#include <string.h>

char first[4], second[4];
const char *text = "hello";

int main(void)
{
    strcpy(first, text);
    return second[2];
}
