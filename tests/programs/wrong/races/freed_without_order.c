/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free */
/* mode: all */
/* flags-plumb: --races=allow */
/* sc: holds */
/* tso: holds */
/* note: the flag is seen, but as a relaxed one: the access may still be under way */
#include <pthread.h>
#include <stdlib.h>

static int *shared, done;

static void *touch(void *arg)
{
    *shared = 4;
    done = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    shared = malloc(sizeof *shared);
    pthread_create(&t, NULL, touch, NULL);
    int early = done;
    if (early)
        free(shared);
    pthread_join(t, NULL);
    if (!early)
        free(shared);
    return 0;
}
