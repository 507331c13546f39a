/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* note: both readers wait for the other to leave */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *upgrade(void *arg)
{
    (void)arg;
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, upgrade, NULL);
    pthread_create(&b, NULL, upgrade, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
