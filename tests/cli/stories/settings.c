/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct settings {
    int width, height;
};

static struct settings *_Atomic current;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct settings *get_settings(void)
{
    struct settings *s = atomic_load_explicit(&current, memory_order_relaxed);
    if (s)
        return s;
    pthread_mutex_lock(&mutex);
    s = atomic_load_explicit(&current, memory_order_relaxed);
    if (!s) {
        s = malloc(sizeof *s);
        s->width = 80;
        s->height = 25;
        atomic_store_explicit(&current, s, memory_order_relaxed);
    }
    pthread_mutex_unlock(&mutex);
    return s;
}

static void *use(void *arg)
{
    struct settings *s = get_settings();
    return s->width * s->height == 2000 ? arg : NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, use, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
