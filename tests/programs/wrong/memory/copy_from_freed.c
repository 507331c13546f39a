/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free */
/* note: the access is made by memcpy */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

char target[64];

static void *work(void *arg)
{
    memset(arg, 1, 64);
    free(arg);
    return NULL;
}

int main(void)
{
    pthread_t t;
    char *p = malloc(64);
    pthread_create(&t, NULL, work, p);
    pthread_join(t, NULL);
    memcpy(target, p, sizeof target);
    return 0;
}
