/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t done;

static void *worker(void *unused)
{
    (void)unused;
    sem_post(&done);
    return NULL;
}

int main(void)
{
    pthread_t t;
    sem_init(&done, 0, 0);
    pthread_mutex_lock(&lock);
    pthread_create(&t, NULL, worker, NULL);
    sem_wait(&done);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
