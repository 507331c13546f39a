/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: who has taken the unit that was posted may free the semaphore, who has passed the barrier alone knows that it may go */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct meeting {
    pthread_barrier_t barrier;
    sem_t done;
    pthread_mutex_t lock;
    int left;
};

static void leave(struct meeting *m)
{
    pthread_mutex_lock(&m->lock);
    int left = --m->left;
    pthread_mutex_unlock(&m->lock);
    if (left == 0)
        sem_post(&m->done);
}

static void *meet(void *p)
{
    struct meeting *m = p;
    pthread_barrier_wait(&m->barrier);
    leave(m);
    return NULL;
}

int main(void)
{
    struct meeting *m = malloc(sizeof *m);
    pthread_t t;
    m->left = 2;
    pthread_mutex_init(&m->lock, NULL);
    pthread_barrier_init(&m->barrier, NULL, 2);
    sem_init(&m->done, 0, 0);
    pthread_create(&t, NULL, meet, m);
    meet(m);
    sem_wait(&m->done);
    pthread_barrier_destroy(&m->barrier);
    sem_destroy(&m->done);
    pthread_mutex_destroy(&m->lock);
    free(m);
    pthread_join(t, NULL);
}
