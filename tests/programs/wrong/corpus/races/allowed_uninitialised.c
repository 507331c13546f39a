/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* mode: all */
/* flags-plumb: --races=allow */
/* note: an uninitialised atomic is an error also where races are allowed */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *volatile box;
int seen;

static void *reader(void *unused)
{
    (void)unused;
    atomic_int *p = box;
    if (p)
        seen = atomic_load(p);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    atomic_int *p = malloc(sizeof *p);
    box = p;
    pthread_join(t, NULL);
    return 0;
}
