/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int left, right;

static void *writer(void *arg)
{
    (void)arg;
    pthread_rwlock_wrlock(&lock);
    left++;
    right++;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

static void *reader(void *arg)
{
    (void)arg;
    pthread_rwlock_rdlock(&lock);
    assert(left == right);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_create(&c, NULL, reader, NULL);
    writer(NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(left == 2);
    return pthread_rwlock_destroy(&lock);
}
