/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the time-out may or may not strike; both ways are right */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *attempt(void *arg)
{
    int *got = arg;
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 1;
    int error = pthread_mutex_timedlock(&lock, &limit);
    assert(error == 0 || error == ETIMEDOUT);
    *got = error == 0;
    if (error == 0) {
        counter++;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int first, second;
    pthread_create(&a, NULL, attempt, &first);
    pthread_create(&b, NULL, attempt, &second);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == first + second);
    return 0;
}
