/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* mode: all */
/* machine: x86-64 */
/* note: the array is the caller's, and neither function is inlined */
#include <string.h>

static __attribute__((noinline)) void append(char *to, const char *text)
{
    strcat(to, text);
}

static __attribute__((noinline)) void name(char *to)
{
    char end[4] = "678";
    append(to, end);
}

int main(void)
{
    char text[8] = "12345";
    name(text);
    return text[0] == '0';
}
