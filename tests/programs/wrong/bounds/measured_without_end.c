/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* mode: all */
/* machine: x86-64 */
#include <string.h>

int main(void)
{
    char after[4] = "zz", word[4];
    memcpy(word, "abcd", sizeof word);
    memcpy(after, "ab", 2);
    return strlen(word) > 100;
}
