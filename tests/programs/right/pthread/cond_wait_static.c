/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: static mutex and condition variable, predicate in a loop */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool ready;
static int data;

static void *producer(void *arg)
{
    (void)arg;
    data = 9;
    pthread_mutex_lock(&lock);
    ready = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, producer, NULL);
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    assert(data == 9);
    pthread_join(t, NULL);
    return 0;
}
