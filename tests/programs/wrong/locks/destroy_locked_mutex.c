/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated destroy-in-use */
/* note: main destroys it while the thread may hold it */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock;
static atomic_int entered;

static void *work(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    atomic_store(&entered, 1);
    atomic_store(&entered, 2);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_init(&lock, NULL);
    pthread_create(&t, NULL, work, NULL);
    while (!atomic_load(&entered))
        ;
    pthread_mutex_destroy(&lock);
    return 0;
}
