/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: an error-checking mutex answers with EDEADLK and EPERM, which is defined behaviour */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;

static void *intruder(void *arg)
{
    (void)arg;
    assert(pthread_mutex_unlock(&lock) == EPERM);
    assert(pthread_mutex_trylock(&lock) == EBUSY);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &attr);
    assert(pthread_mutex_lock(&lock) == 0);
    assert(pthread_mutex_lock(&lock) == EDEADLK);
    pthread_create(&t, NULL, intruder, NULL);
    pthread_join(t, NULL);
    assert(pthread_mutex_unlock(&lock) == 0);
    assert(pthread_mutex_unlock(&lock) == EPERM);
    return 0;
}
