/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* tso: holds */
/* sc: holds */
/* note: a plain store of another thread instead of an update cuts the release sequence */
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
    if (atomic_load_explicit(&flag, memory_order_relaxed) == 1)
        atomic_store_explicit(&flag, 2, memory_order_relaxed);
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
