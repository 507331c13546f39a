/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: who frees the object knows that the other thread has locked its mutex, not that it has unlocked it */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    pthread_mutex_t mutex;
};

static atomic_int inside;

static void *use(void *p)
{
    struct object *o = p;
    pthread_mutex_lock(&o->mutex);
    inside++;
    pthread_mutex_unlock(&o->mutex);
    return NULL;
}

int main(void)
{
    struct object *o = malloc(sizeof *o);
    pthread_t t;
    pthread_mutex_init(&o->mutex, NULL);
    pthread_create(&t, NULL, use, o);
    while (!inside)
        ;
    free(o);
    pthread_join(t, NULL);
}
