/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t rings = PTHREAD_COND_INITIALIZER;
static atomic_int visitors;

static void *host(void *arg)
{
    while (!atomic_load(&visitors)) {
        pthread_mutex_lock(&mutex);
        pthread_cond_wait(&rings, &mutex);
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}

static void *guest(void *arg)
{
    atomic_fetch_add(&visitors, 1);
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&rings);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, host, NULL);
    pthread_create(&threads[1], NULL, guest, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
