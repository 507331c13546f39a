/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: who counts down to zero under the lock frees it: all others have unlocked it before, and signalled while they held it */
#include <pthread.h>
#include <stdlib.h>

struct object {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int references;
};

static void *leave(void *p)
{
    struct object *o = p;
    pthread_mutex_lock(&o->lock);
    int left = --o->references;
    pthread_cond_signal(&o->changed);
    pthread_mutex_unlock(&o->lock);
    if (left == 0)
        free(o);
    return NULL;
}

int main(void)
{
    struct object *o = malloc(sizeof *o);
    pthread_t t[2];
    pthread_mutex_init(&o->lock, NULL);
    pthread_cond_init(&o->changed, NULL);
    o->references = 2;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, leave, o);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
}
