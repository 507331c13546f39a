/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the reader announces the node it uses and looks again; the writer frees only what nobody announced */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) current, hazard;

static int *box(int value)
{
    int *p = malloc(sizeof *p);
    *p = value;
    return p;
}

static void *reader(void *arg)
{
    int *seen;
    (void)arg;
    do {
        seen = atomic_load(&current);
        atomic_store(&hazard, seen);
    } while (atomic_load(&current) != seen);
    assert(*seen == 1 || *seen == 2);
    atomic_store(&hazard, NULL);
    return NULL;
}

int main(void)
{
    pthread_t t;
    atomic_store(&current, box(1));
    pthread_create(&t, NULL, reader, NULL);
    int *old = atomic_exchange(&current, box(2));
    while (atomic_load(&hazard) == old)
        ;
    free(old);
    pthread_join(t, NULL);
    free(atomic_load(&current));
    return 0;
}
