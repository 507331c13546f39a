/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated unlock-not-held|misuse */
/* mode: all */
/* note: a mutex is used as a signal: locked here, unlocked by the other thread */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t done;

static void *worker(void *unused)
{
    (void)unused;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    sem_init(&done, 0, 0);
    pthread_mutex_lock(&lock);
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}
