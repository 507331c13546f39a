/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* mode: all */
/* machine: x86-64 */
#include <string.h>

volatile int length = 9;

int main(void)
{
    char bytes[8];
    memset(bytes, 0, (size_t)length);
    return bytes[0];
}
