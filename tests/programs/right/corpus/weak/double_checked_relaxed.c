/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static int config;
int seen[2];

static int get(void)
{
    if (!atomic_load_explicit(&ready, memory_order_acquire)) {
        pthread_mutex_lock(&lock);
        if (!atomic_load_explicit(&ready, memory_order_relaxed)) {
            config = 9;
            atomic_store_explicit(&ready, 1, memory_order_release);
        }
        pthread_mutex_unlock(&lock);
    }
    return config;
}

static void *one(void *unused)
{
    (void)unused;
    seen[0] = get();
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    seen[1] = get();
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, one, NULL);
    pthread_create(&t[1], NULL, two, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
