/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --races=allow */
#include <pthread.h>
#include <stdlib.h>

static int *block;
static int stop;
int seen;

static void *user(void *unused)
{
    (void)unused;
    if (!stop)
        seen = *block;
    return NULL;
}

int main(void)
{
    pthread_t t;
    block = malloc(sizeof *block);
    *block = 1;
    pthread_create(&t, NULL, user, NULL);
    stop = 1;
    pthread_join(t, NULL);
    free(block);
    return 0;
}
