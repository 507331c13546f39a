/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated out-of-bounds */
/* mode: all */
/* machine: x86-64 */
#include <pthread.h>
#include <string.h>

static _Thread_local char word[4], next[8];
const char *text = "hello";

static void *write_word(void *arg)
{
    next[0] = 1;
    strcpy(word, text);
    return next[1] ? arg : NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, write_word, NULL);
    pthread_join(t, NULL);
    return 0;
}
