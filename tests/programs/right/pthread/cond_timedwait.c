/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: signalled or timed out, the mutex is held again afterwards */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static bool ready, given_up;

static void *signaller(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    if (!given_up)
        ready = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_condattr_t attr;
    struct timespec limit;
    int error = 0;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &attr);
    clock_gettime(CLOCK_MONOTONIC, &limit);
    limit.tv_sec += 5;
    pthread_create(&t, NULL, signaller, NULL);
    pthread_mutex_lock(&lock);
    while (!ready && error == 0)
        error = pthread_cond_timedwait(&changed, &lock, &limit);
    assert(ready || error == ETIMEDOUT);
    given_up = !ready;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    assert(ready != given_up);
    return pthread_cond_destroy(&changed);
}
