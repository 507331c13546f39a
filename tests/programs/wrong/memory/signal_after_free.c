/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: the job may be gone by the time its worker signals */
#include <pthread.h>
#include <stdlib.h>

struct job {
    pthread_mutex_t lock;
    pthread_cond_t done;
    int ready;
};

static void *work(void *p)
{
    struct job *j = p;
    pthread_mutex_lock(&j->lock);
    j->ready = 1;
    pthread_mutex_unlock(&j->lock);
    pthread_cond_signal(&j->done);
    return NULL;
}

int main(void)
{
    struct job *j = calloc(1, sizeof *j);
    pthread_t t;
    pthread_mutex_init(&j->lock, NULL);
    pthread_cond_init(&j->done, NULL);
    pthread_create(&t, NULL, work, j);
    pthread_mutex_lock(&j->lock);
    while (!j->ready)
        pthread_cond_wait(&j->done, &j->lock);
    pthread_mutex_unlock(&j->lock);
    free(j);
    pthread_join(t, NULL);
}
