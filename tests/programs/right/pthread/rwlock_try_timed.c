/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int data;

static void *writer(void *arg)
{
    (void)arg;
    int error = pthread_rwlock_trywrlock(&lock);
    assert(error == 0 || error == EBUSY);
    if (error == 0) {
        data++;
        assert(pthread_rwlock_tryrdlock(&lock) != 0);
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

static void *reader(void *arg)
{
    (void)arg;
    struct timespec limit = {.tv_sec = time(NULL) + 2};
    int error = pthread_rwlock_timedrdlock(&lock, &limit);
    assert(error == 0 || error == ETIMEDOUT);
    if (error == 0) {
        assert(data >= 0 && data <= 1);
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    struct timespec limit = {.tv_sec = time(NULL) + 2};
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    int error = pthread_rwlock_timedwrlock(&lock, &limit);
    assert(error == 0 || error == ETIMEDOUT);
    if (error == 0)
        pthread_rwlock_unlock(&lock);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    pthread_rwlock_unlock(&lock);
    return 0;
}
