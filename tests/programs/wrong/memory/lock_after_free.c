/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: who frees the object knows that the other thread was at the first lock, not that it is done with the second */
#include <pthread.h>
#include <stdlib.h>

struct object {
    pthread_mutex_t lock;
};

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static int reached;

static void *use(void *p)
{
    struct object *o = p;
    pthread_mutex_lock(&first);
    reached = 1;
    pthread_mutex_unlock(&first);
    if (pthread_mutex_trylock(&o->lock) == 0)
        pthread_mutex_unlock(&o->lock);
    return NULL;
}

int main(void)
{
    struct object *o = malloc(sizeof *o);
    pthread_t t;
    pthread_mutex_init(&o->lock, NULL);
    pthread_create(&t, NULL, use, o);
    pthread_mutex_lock(&first);
    int sees = reached;
    pthread_mutex_unlock(&first);
    if (sees)
        free(o);
    pthread_join(t, NULL);
}
