/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <stdatomic.h>

static float samples[8];
static atomic_int filled;
float sum;

static void *writer(void *unused)
{
    (void)unused;
    for (int i = 0; i < 8; i++)
        samples[i] = 1;
    atomic_store_explicit(&filled, 1, memory_order_release);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    float all = 0;
    if (atomic_load_explicit(&filled, memory_order_acquire))
        for (int i = 0; i < 8; i++)
            all += samples[i];
    sum = all;
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
