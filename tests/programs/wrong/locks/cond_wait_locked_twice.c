/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* mode: dfs */
/* note: pthread_cond_wait gives back one level of a recursive mutex: the thread that would signal cannot lock it */
#define _GNU_SOURCE
#include <pthread.h>

#ifndef LEVELS
#define LEVELS 2
#endif

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int ready;

static void *work(void *arg)
{
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    for (int k = 0; k < LEVELS; k++)
        pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&condition, &mutex);
    for (int k = 0; k < LEVELS; k++)
        pthread_mutex_unlock(&mutex);
    pthread_join(t, NULL);
    return 0;
}
