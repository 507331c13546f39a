/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated destroy-in-use|race */
/* mode: dfs */
/* races: holds */
/* note: the signal comes after the unlock, so the condition variable may be gone by then */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int is_ready;

static void *say(void *arg)
{
    pthread_mutex_lock(&lock);
    is_ready = 1;
    pthread_mutex_unlock(&lock);
    pthread_cond_signal(&ready);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, say, NULL);
    pthread_mutex_lock(&lock);
    while (!is_ready)
        pthread_cond_wait(&ready, &lock);
    pthread_mutex_unlock(&lock);
    pthread_cond_destroy(&ready);
    pthread_join(t, NULL);
}
