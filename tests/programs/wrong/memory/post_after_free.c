/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: who frees the object knows that the other thread was at the first lock, not that it is done with the semaphore */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct object {
    sem_t places;
};

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static int reached;

static void *use(void *p)
{
    struct object *o = p;
    pthread_mutex_lock(&first);
    reached = 1;
    pthread_mutex_unlock(&first);
    sem_post(&o->places);
    return NULL;
}

int main(void)
{
    struct object *o = malloc(sizeof *o);
    pthread_t t;
    sem_init(&o->places, 0, 1);
    pthread_create(&t, NULL, use, o);
    pthread_mutex_lock(&first);
    int sees = reached;
    pthread_mutex_unlock(&first);
    if (sees)
        free(o);
    pthread_join(t, NULL);
}
