/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated destroy-in-use */
#include <pthread.h>

static pthread_rwlock_t lock;

static void *reader(void *arg)
{
    (void)arg;
    pthread_rwlock_rdlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_rwlock_init(&lock, NULL);
    pthread_create(&t, NULL, reader, NULL);
    pthread_join(t, NULL);
    pthread_rwlock_destroy(&lock);
    return 0;
}
