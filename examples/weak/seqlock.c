/* SPDX-License-Identifier: Apache-2.0 */
/* A sequence lock without fences: the reader's second look at the counter does not wait for its reads of the data, and
 * the data may be seen before the counter becomes odd. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int left, right;

static void *writer(void *arg)
{
    atomic_store_explicit(&sequence, 1, memory_order_relaxed);
    atomic_store_explicit(&left, 1, memory_order_relaxed);
    atomic_store_explicit(&right, 1, memory_order_relaxed);
    atomic_store_explicit(&sequence, 2, memory_order_release);
    return arg;
}

static void *reader(void *arg)
{
    unsigned before = atomic_load_explicit(&sequence, memory_order_acquire);
    int l = atomic_load_explicit(&left, memory_order_relaxed);
    int r = atomic_load_explicit(&right, memory_order_relaxed);
    unsigned after = atomic_load_explicit(&sequence, memory_order_relaxed);
    if (before == after && before % 2 == 0)
        assert(l == r);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
