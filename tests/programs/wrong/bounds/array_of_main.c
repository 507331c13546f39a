/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* mode: all */
/* machine: x86-64 */
/* note: the array is on the stack of main, which waits */
#include <pthread.h>
#include <stdio.h>

static void *print(void *text)
{
    sprintf(text, "%d", 123456789);
    return NULL;
}

static int start(char *text)
{
    pthread_t t;
    pthread_create(&t, NULL, print, text);
    pthread_join(t, NULL);
    return text[0] == '0';
}

int main(void)
{
    char text[8], behind[8] = "";
    return start(text) + behind[7];
}
