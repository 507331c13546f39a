/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int counter;

static void *add(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    assert(pthread_mutex_lock(&lock) == 0);
    assert(pthread_mutex_trylock(&lock) == 0);
    counter++;
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_mutexattr_t attr;
    int type;
    pthread_mutexattr_init(&attr);
    assert(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE) == 0);
    assert(pthread_mutexattr_gettype(&attr, &type) == 0 && type == PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &attr);
    pthread_mutexattr_destroy(&attr);
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 4);
    return pthread_mutex_destroy(&lock);
}
