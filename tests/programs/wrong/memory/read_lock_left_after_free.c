/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: who frees the object knows that the other thread has its lock for reading, not that it has left it */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    pthread_rwlock_t shared;
};

static atomic_int inside;

static void *read_it(void *p)
{
    struct object *o = p;
    pthread_rwlock_rdlock(&o->shared);
    inside++;
    pthread_rwlock_unlock(&o->shared);
    return NULL;
}

int main(void)
{
    struct object *o = malloc(sizeof *o);
    pthread_t t;
    pthread_rwlock_init(&o->shared, NULL);
    pthread_create(&t, NULL, read_it, o);
    while (!inside)
        ;
    free(o);
    pthread_join(t, NULL);
}
