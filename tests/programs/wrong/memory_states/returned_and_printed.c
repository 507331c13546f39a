/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-return */
/* mode: all */
/* note: a library function reads the array of a function that has returned */
#include <stdio.h>
#include <string.h>

__attribute__((noinline)) static char *make(void)
{
    char text[40];
    char *volatile answer = text;
    strcpy(answer, "abc");
    return answer;
}

int main(void)
{
    printf("%s\n", make());
    return 0;
}
