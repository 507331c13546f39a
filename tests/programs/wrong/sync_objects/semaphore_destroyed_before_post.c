/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated destroy-in-use|race */
/* mode: dfs */
/* note: the post comes after the unlock, so the semaphore may be gone by then */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t ready;
static int is_ready;

static void *say(void *arg)
{
    pthread_mutex_lock(&lock);
    is_ready = 1;
    pthread_mutex_unlock(&lock);
    sem_post(&ready);
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&ready, 0, 0);
    pthread_create(&t, NULL, say, NULL);
    pthread_mutex_lock(&lock);
    int gone = is_ready;
    pthread_mutex_unlock(&lock);
    if (gone)
        sem_destroy(&ready);
    pthread_join(t, NULL);
}
