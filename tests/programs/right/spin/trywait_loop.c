/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: spinning on sem_trywait is a wait for the semaphore */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t ready;
static int data;

static void *publish(void *arg)
{
    data = 1;
    sem_post(&ready);
    return arg;
}

int main(void)
{
    pthread_t t;
    sem_init(&ready, 0, 0);
    pthread_create(&t, NULL, publish, NULL);
    while (sem_trywait(&ready) != 0)
        continue;
    assert(data == 1);
    pthread_join(t, NULL);
    sem_destroy(&ready);
    return 0;
}
