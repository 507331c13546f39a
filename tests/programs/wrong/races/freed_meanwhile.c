/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free */
/* mode: all */
/* flags-plumb: --races=allow */
/* note: whatever order they are run in */
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *touch(void *arg)
{
    *shared = 4;
    return arg;
}

int main(void)
{
    pthread_t t;
    shared = malloc(sizeof *shared);
    pthread_create(&t, NULL, touch, NULL);
    free(shared);
    pthread_join(t, NULL);
    return 0;
}
