/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: the table is read by hand while setenv makes another one */
#include <pthread.h>
#include <stdlib.h>

extern char **environ;

static void *change(void *arg)
{
    setenv("A_NEW_ONE", "1", 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, change, NULL);
    char *first = environ[0];
    pthread_join(t, NULL);
    return first == NULL;
}
