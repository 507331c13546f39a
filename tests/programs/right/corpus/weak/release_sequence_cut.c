/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;
int seen;

static void *writer(void *unused)
{
    (void)unused;
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return NULL;
}

static void *middle(void *unused)
{
    (void)unused;
    int expected = 1;
    atomic_compare_exchange_strong_explicit(&flag, &expected, 2, memory_order_relaxed, memory_order_relaxed);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
        seen = data;
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, middle, NULL);
    pthread_create(&t[2], NULL, reader, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    pthread_join(t[2], NULL);
    return 0;
}
