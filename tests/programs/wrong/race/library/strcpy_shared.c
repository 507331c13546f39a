/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: the write happens inside the C library */
#include <pthread.h>
#include <string.h>

char name[32] = "start";
char first;

static void *rename_it(void *arg)
{
    strcpy(name, arg);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, rename_it, "another name");
    first = name[0];
    pthread_join(t, NULL);
    return 0;
}
