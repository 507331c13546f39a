/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --races=allow */
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
    atomic_int *p = calloc(1, sizeof *p);
    box = p;
    pthread_join(t, NULL);
    return 0;
}
