/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

int value, seen;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *reader(void *unused)
{
    int own;
    pthread_rwlock_rdlock(&lock);
    own = value;
    pthread_rwlock_unlock(&lock);
    return own ? unused : 0;
}

void *writer(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    value = 1;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
