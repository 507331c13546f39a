/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: two counting semaphores around a ring of two */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t empty, full;
static int ring[2];

static void *producer(void *arg)
{
    (void)arg;
    for (int i = 0; i < 3; i++) {
        sem_wait(&empty);
        ring[i % 2] = i + 1;
        sem_post(&full);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    sem_init(&empty, 0, 2);
    sem_init(&full, 0, 0);
    pthread_create(&t, NULL, producer, NULL);
    for (int i = 0; i < 3; i++) {
        sem_wait(&full);
        assert(ring[i % 2] == i + 1);
        sem_post(&empty);
    }
    pthread_join(t, NULL);
    sem_destroy(&empty);
    sem_destroy(&full);
    return 0;
}
