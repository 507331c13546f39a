/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void await(pthread_mutex_t *lock)
{
    pthread_mutex_lock(lock);
    while (!ready)
        pthread_cond_wait(&changed, lock);
    pthread_mutex_unlock(lock);
}

static void *one(void *unused)
{
    (void)unused;
    await(&a);
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    await(&a);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, one, NULL);
    pthread_create(&t[1], NULL, two, NULL);
    pthread_mutex_lock(&a);
    ready = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&a);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
