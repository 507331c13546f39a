/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: fails only when the time-out strikes */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>

static sem_t ready;
static atomic_int data;

static void *writer(void *arg)
{
    (void)arg;
    atomic_store(&data, 1);
    sem_post(&ready);
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct timespec limit;
    sem_init(&ready, 0, 0);
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 60;
    pthread_create(&t, NULL, writer, NULL);
    sem_timedwait(&ready, &limit);
    assert(atomic_load(&data) == 1);
    pthread_join(t, NULL);
    return 0;
}
