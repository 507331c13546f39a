/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: two readers hold the lock at the same time, so they can meet at a barrier */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock;
static pthread_barrier_t both;

static void *reader(void *arg)
{
    (void)arg;
    pthread_rwlock_rdlock(&lock);
    pthread_barrier_wait(&both);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_rwlock_init(&lock, NULL);
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(pthread_rwlock_wrlock(&lock) == 0);
    pthread_rwlock_unlock(&lock);
    pthread_barrier_destroy(&both);
    return pthread_rwlock_destroy(&lock);
}
