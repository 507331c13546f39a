/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* mode: all */
/* machine: x86-64 */
/* note: the copy begins before the array */
#include <string.h>

volatile int back = 2;

int main(void)
{
    char bytes[16], other[16] = "";
    memset(bytes, 1, sizeof bytes);
    memcpy(other, bytes - back, 4);
    return other[3] != 1;
}
