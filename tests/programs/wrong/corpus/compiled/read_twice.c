/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: the second read of the same variable is outside of the lock; a merged read would hide it */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int limit = 1;
int seen;

static inline int is_small(int n)
{
    return n < limit;
}

static void *writer(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    limit = 5;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    seen = limit;
    pthread_mutex_unlock(&lock);
    seen += is_small(3);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
