/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: two writers, readers and tries at a lock that prefers writers: none is lost, none gets in too early */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static int value, copy;

static void *write_both(void *arg)
{
    static const struct timespec soon = {1, 0};
    if (arg ? pthread_rwlock_timedwrlock(&lock, &soon) : pthread_rwlock_wrlock(&lock))
        return arg;
    value++;
    copy++;
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, write_both, NULL);
    pthread_create(&b, NULL, write_both, &lock);
    if (pthread_rwlock_tryrdlock(&lock) == 0) {
        assert(value == copy);
        pthread_rwlock_unlock(&lock);
    }
    if (pthread_rwlock_trywrlock(&lock) == 0) {
        assert(value++ == copy++);
        pthread_rwlock_unlock(&lock);
    }
    pthread_rwlock_rdlock(&lock);
    assert(value == copy);
    pthread_rwlock_unlock(&lock);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(value == copy && value >= 1);
    pthread_rwlock_destroy(&lock);
    return 0;
}
