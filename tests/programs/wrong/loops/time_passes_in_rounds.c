/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: rounds differ in nothing but the time, which ends the loop: what a thread finds on the clock is part of its state */
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
    struct timespec begun, now;
    pthread_create(&worker, NULL, work, NULL);
    clock_gettime(CLOCK_REALTIME, &begun);
    pthread_mutex_lock(&m);
    do {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec++;
        if (!done)
            pthread_cond_timedwait(&changed, &m, &until);
        clock_gettime(CLOCK_REALTIME, &now);
    } while (!done && now.tv_sec < begun.tv_sec + 4);
    assert(done);
    pthread_mutex_unlock(&m);
    pthread_join(worker, NULL);
    return 0;
}
