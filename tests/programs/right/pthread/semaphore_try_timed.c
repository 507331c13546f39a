/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: failures are reported through errno */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t tokens;
static int data;

static void *giver(void *arg)
{
    (void)arg;
    data = 1;
    sem_post(&tokens);
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct timespec limit;
    sem_init(&tokens, 0, 0);
    assert(sem_trywait(&tokens) == -1 && errno == EAGAIN);
    pthread_create(&t, NULL, giver, NULL);
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 1;
    if (sem_timedwait(&tokens, &limit) == 0)
        assert(data == 1);
    else
        assert(errno == ETIMEDOUT);
    pthread_join(t, NULL);
    sem_destroy(&tokens);
    return 0;
}
