/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <string.h>

int main(void)
{
    char text[8] = "abcdef";
    memmove(text + 1, text, 4);
    return text[0] != 'a';
}
