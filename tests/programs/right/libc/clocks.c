/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: time never goes backwards, in any thread */
#include <assert.h>
#include <pthread.h>
#include <sys/time.h>
#include <time.h>

static struct timespec published;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int before(struct timespec a, struct timespec b)
{
    return a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec);
}

static void *tick(void *arg)
{
    struct timespec now;
    (void)arg;
    pthread_mutex_lock(&lock);
    assert(clock_gettime(CLOCK_MONOTONIC, &now) == 0);
    assert(!before(now, published));
    assert(now.tv_nsec >= 0 && now.tv_nsec < 1000000000);
    published = now;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct timeval tv;
    struct tm parts;
    time_t first = time(NULL);
    pthread_create(&t, NULL, tick, NULL);
    tick(NULL);
    pthread_join(t, NULL);
    assert(gettimeofday(&tv, NULL) == 0 && tv.tv_sec >= first - 1);
    time_t last = time(NULL);
    assert(last >= first && gmtime_r(&last, &parts) && parts.tm_year >= 70);
    assert(clock() >= 0);
    return 0;
}
