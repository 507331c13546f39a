/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: getenv reads the table that the other thread changes by hand */
#include <pthread.h>
#include <stdlib.h>

extern char **environ;

static void *change(void *arg)
{
    environ[0] = "NAME=value";
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, change, NULL);
    getenv("HOME");
    pthread_join(t, NULL);
    return 0;
}
