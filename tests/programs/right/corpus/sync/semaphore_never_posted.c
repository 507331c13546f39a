/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <semaphore.h>

static sem_t permits;

static int work(int fails)
{
    sem_wait(&permits);
    sem_post(&permits);
    return fails ? -1 : 0;
}

static void *one(void *unused)
{
    (void)unused;
    work(1);
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    work(0);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    sem_init(&permits, 0, 1);
    pthread_create(&t[0], NULL, one, NULL);
    pthread_create(&t[1], NULL, two, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    sem_destroy(&permits);
    return 0;
}
