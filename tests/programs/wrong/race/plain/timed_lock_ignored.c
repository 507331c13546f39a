/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: only when the time-out strikes: a choice that has to be tried */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int counter;

static void *add(void *arg)
{
    struct timespec limit;
    (void)arg;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 10;
    int held = pthread_mutex_timedlock(&lock, &limit) == 0;
    counter++;
    if (held)
        pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
