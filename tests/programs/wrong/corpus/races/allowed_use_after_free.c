/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free */
/* mode: all */
/* flags-plumb: --races=allow */
/* note: a benign race does not excuse the use after free behind it */
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
    free(block);
    pthread_join(t, NULL);
    return 0;
}
