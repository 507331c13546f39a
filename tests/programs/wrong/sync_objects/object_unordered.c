/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: dfs */
/* sc: holds */
/* tso: holds */
/* note: the mutex is initialised, but published relaxed */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m;
static atomic_int ready;

static void *work(void *arg)
{
    if (atomic_load_explicit(&ready, memory_order_relaxed)) {
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_init(&m, NULL);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    pthread_join(t, NULL);
    return 0;
}
