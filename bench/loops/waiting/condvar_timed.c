/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: race|assert */
/* note: waits a second at a time until the job is done; wrong: takes a timeout for the end */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool done;
static int timeouts;

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
        if (pthread_cond_timedwait(&changed, &m, &until) == ETIMEDOUT) {
            timeouts++;
#ifdef WRONG
            break;
#endif
        }
    }
    assert(done);
    pthread_mutex_unlock(&m);
    pthread_join(worker, NULL);
    return 0;
}
