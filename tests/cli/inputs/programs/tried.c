/* SPDX-License-Identifier: Apache-2.0 */
/* A lock that is tried in vain finds an old state, as a relaxed load would. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;

static void *go(void *argument)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, go, 0);
    if (atomic_load_explicit(&done, memory_order_relaxed))
        assert(pthread_mutex_trylock(&mutex) == 0);
    pthread_join(thread, 0);
}
