/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* tso: holds */
/* sc: holds */
/* note: the second look at the sequence number is not ordered after the data */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int a, b;

static void *writer(void *unused)
{
    (void)unused;
    atomic_store_explicit(&sequence, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&a, 1, memory_order_relaxed);
    atomic_store_explicit(&b, 1, memory_order_relaxed);
    atomic_store_explicit(&sequence, 2, memory_order_release);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    unsigned before = atomic_load_explicit(&sequence, memory_order_acquire);
    int x = atomic_load_explicit(&a, memory_order_relaxed);
    int y = atomic_load_explicit(&b, memory_order_relaxed);
    unsigned after = atomic_load_explicit(&sequence, memory_order_relaxed);
    if (before == after && before % 2 == 0)
        assert(x == y);
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
