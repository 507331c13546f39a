/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: polls a semaphore and counts how often it was empty */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

static sem_t filled;
static int item;

static void *produce(void *arg)
{
    item = 11;
    sem_post(&filled);
    return arg;
}

int main(void)
{
    pthread_t producer;
    unsigned misses = 0;
    sem_init(&filled, 0, 0);
    pthread_create(&producer, NULL, produce, NULL);
    while (sem_trywait(&filled) != 0) {
        misses++;
        if (misses % 32 == 0)
            sched_yield();
    }
    assert(item == 11);
    pthread_join(producer, NULL);
    return 0;
}
