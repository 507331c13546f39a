/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

int value;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *change(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    value++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, change, 0);
    pthread_create(&b, 0, change, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
