/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* mode: all */
#include <string.h>

int main(void)
{
    char after[4] = "zz", word[4];
    memcpy(word, "abcd", sizeof word);
    memcpy(after, "ab", 2);
    return strlen(word) > 100;
}
