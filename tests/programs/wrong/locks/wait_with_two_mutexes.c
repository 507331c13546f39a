/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* note: two threads wait on one condition variable with different mutexes */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *waiter(void *arg)
{
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 1;
    pthread_mutex_lock(arg);
    pthread_cond_timedwait(&changed, arg, &limit);
    pthread_mutex_unlock(arg);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, &first);
    pthread_create(&b, NULL, waiter, &second);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
