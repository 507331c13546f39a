/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: a lock is asked for until it is there, each time with a limit, and its owner gives it back */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *ask(void *unused)
{
    struct timespec end = {.tv_sec = 1};
    while (pthread_mutex_timedlock(&m, &end))
        ;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, ask, 0);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
