/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* mode: all */
/* note: the flag is set without the mutex: the signal may come between test and wait */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *waiter(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    while (!atomic_load(&ready))
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *setter(void *unused)
{
    (void)unused;
    atomic_store(&ready, 1);
    pthread_cond_signal(&changed);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, waiter, NULL);
    pthread_create(&t[1], NULL, setter, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
