/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --spurious */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *set(void *unused)
{
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *wait_limited(void *unused)
{
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec += 1;
    pthread_mutex_lock(&lock);
    int error = 0;
    while (!ready && !error)
        error = pthread_cond_timedwait(&changed, &lock, &soon);
    assert(ready || error);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, set, NULL);
    pthread_create(&b, NULL, wait_limited, NULL);
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
