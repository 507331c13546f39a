/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: polls a semaphore and a mutex, and counts how often in vain; the counter decides when to yield, and nothing else */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

static sem_t filled;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int item;

static void *produce(void *arg)
{
    pthread_mutex_lock(&m);
    item++;
    pthread_mutex_unlock(&m);
    sem_post(&filled);
    return arg;
}

int main(void)
{
    pthread_t producer;
    unsigned misses = 0;
    sem_init(&filled, 0, 0);
    pthread_create(&producer, NULL, produce, NULL);
    while (pthread_mutex_trylock(&m) != 0)
        if (++misses % 32 == 0)
            sched_yield();
    item++;
    pthread_mutex_unlock(&m);
    while (sem_trywait(&filled) != 0)
        if (++misses % 32 == 0)
            sched_yield();
    assert(item == 2);
    pthread_join(producer, NULL);
    return 0;
}
