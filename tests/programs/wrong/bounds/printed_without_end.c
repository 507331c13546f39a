/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* mode: all */
/* note: the end of the string is in another array */
#include <stdio.h>
#include <string.h>

char word[4], tail[4] = "zz";

int main(void)
{
    memcpy(word, "abcd", sizeof word);
    printf("%s\n", word);
    return 0;
}
