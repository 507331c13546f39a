/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock|misuse */
/* mode: all */
/* note: a thread asks for the write lock while it holds the read lock */
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *update(void *unused)
{
    (void)unused;
    pthread_rwlock_rdlock(&lock);
    int needed = value == 0;
    if (needed) {
        pthread_rwlock_wrlock(&lock);
        value = 1;
        pthread_rwlock_unlock(&lock);
    }
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, update, NULL);
    pthread_create(&t[1], NULL, update, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
