/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* mode: all */
/* machine: x86-64 */
/* note: of two arrays in branches, each has its place */
#include <string.h>

volatile int which = 1;
const char *text = "123456789";

int main(void)
{
    if (which) {
        char small[8];
        strcpy(small, text);
        return small[0] == '0';
    }
    char large[16];
    strcpy(large, text);
    return large[1];
}
