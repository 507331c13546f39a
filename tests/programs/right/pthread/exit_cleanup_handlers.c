/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: pthread_exit runs the cleanup handlers, last pushed first */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int order;

static void unlock(void *arg)
{
    assert(order == 1);
    pthread_mutex_unlock(arg);
}

static void note(void *arg)
{
    *(int *)arg = 1;
}

static void *work(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    pthread_cleanup_push(note, &order);
    pthread_exit(NULL);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    assert(pthread_mutex_lock(&lock) == 0);
    pthread_mutex_unlock(&lock);
    return 0;
}
