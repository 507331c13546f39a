/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* mode: all */
/* machine: x86-64 */
/* note: what is printed does not fit, by far: the stack behind must not be destroyed before that is reported */
#include <stdio.h>

int main(void)
{
    char text[8];
    sprintf(text, "%0900d", 12);
    return text[0] == '1';
}
