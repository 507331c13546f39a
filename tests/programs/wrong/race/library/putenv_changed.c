/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: the string belongs to the environment now */
#include <pthread.h>
#include <stdlib.h>

static char text[] = "NAME=value";

static void *change(void *arg)
{
    text[0] = 'G';
    return arg;
}

int main(void)
{
    pthread_t t;
    putenv(text);
    pthread_create(&t, NULL, change, NULL);
    getenv("GAME");
    pthread_join(t, NULL);
    return 0;
}
