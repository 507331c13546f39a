/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int hits;

static void *count(void *arg)
{
    (void)arg;
    pthread_rwlock_rdlock(&lock);
    hits++;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, count, NULL);
    pthread_create(&b, NULL, count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
