/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated undefined */
/* mode: all */
/* note: the ranges of memcpy overlap: the behaviour is undefined */
#include <string.h>

int main(void)
{
    char text[8] = "abcdef";
    memcpy(text + 1, text, 4);
    return text[0] != 'a';
}
