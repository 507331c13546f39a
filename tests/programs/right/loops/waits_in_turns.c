/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: a condition is waited for a second at a time; when that second ends decides nothing but when it is looked at again */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool done;

static void *work(void *arg)
{
    pthread_mutex_lock(&m);
    done = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    pthread_mutex_lock(&m);
    while (!done) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec++;
        pthread_cond_timedwait(&changed, &m, &until);
    }
    pthread_mutex_unlock(&m);
    pthread_join(worker, NULL);
    return 0;
}
