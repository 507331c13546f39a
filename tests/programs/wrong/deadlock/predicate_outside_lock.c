/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* note: the flag is atomic, but set and signalled between the waiter's look and its wait */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *setter(void *arg)
{
    (void)arg;
    atomic_store(&ready, 1);
    pthread_cond_signal(&changed);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, setter, NULL);
    pthread_mutex_lock(&lock);
    while (!atomic_load(&ready))
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
