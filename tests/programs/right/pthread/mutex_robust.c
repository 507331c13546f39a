/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* note: not supported: the next one to lock it is told that its owner has ended */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;

static void *end_with_lock(void *arg)
{
    pthread_mutex_lock(&lock);
    return arg;
}

int main(void)
{
    pthread_mutexattr_t attr;
    pthread_t t;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &attr);
    pthread_create(&t, NULL, end_with_lock, NULL);
    pthread_join(t, NULL);
    assert(pthread_mutex_lock(&lock) == EOWNERDEAD);
    pthread_mutex_consistent(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}
