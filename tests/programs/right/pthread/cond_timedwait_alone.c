/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: nobody signals: the time-out must come, so this is no deadlock */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void *waiter(void *arg)
{
    (void)arg;
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_nsec += 1000000;
    if (limit.tv_nsec >= 1000000000) {
        limit.tv_nsec -= 1000000000;
        limit.tv_sec++;
    }
    pthread_mutex_lock(&lock);
    int error = 0;
    while (error == 0)
        error = pthread_cond_timedwait(&never, &lock, &limit);
    assert(error == ETIMEDOUT);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
    pthread_join(t, NULL);
    return 0;
}
