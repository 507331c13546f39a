/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* mode: dfs */
/* note: closing does not take the lock: a worker may look at the flag before and sleep after */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static atomic_bool closed;
static int count;

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    for (;;) {
        while (count == 0 && !closed)
            pthread_cond_wait(&ready, &lock);
        if (count == 0)
            break;
        count--;
    }
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    pthread_mutex_lock(&lock);
    count = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    closed = 1;
    pthread_cond_broadcast(&ready);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
