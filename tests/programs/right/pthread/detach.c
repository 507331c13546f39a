/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a detached thread may outlive main; one by pthread_detach, one by its attribute */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static int result;

static void *work(void *arg)
{
    (void)arg;
    result = 3;
    sem_post(&done);
    return NULL;
}

static void *nothing(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t, u;
    pthread_attr_t attr;
    sem_init(&done, 0, 0);
    pthread_create(&t, NULL, work, NULL);
    assert(pthread_detach(t) == 0);
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attr, 1 << 20);
    pthread_create(&u, &attr, nothing, NULL);
    pthread_attr_destroy(&attr);
    sem_wait(&done);
    assert(result == 3);
    return 0;
}
