/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the reader repeats while a writer is at work; data are relaxed atomics, so nothing races */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int left, right;

static void *writer(void *arg)
{
    (void)arg;
    for (int i = 1; i <= 2; i++) {
        unsigned s = atomic_load_explicit(&sequence, memory_order_relaxed);
        atomic_store_explicit(&sequence, s + 1, memory_order_relaxed);
        atomic_thread_fence(memory_order_release);
        atomic_store_explicit(&left, i, memory_order_relaxed);
        atomic_store_explicit(&right, -i, memory_order_relaxed);
        atomic_store_explicit(&sequence, s + 2, memory_order_release);
    }
    return NULL;
}

static void *reader(void *arg)
{
    (void)arg;
    int l, r;
    unsigned before, after;
    do {
        while ((before = atomic_load_explicit(&sequence, memory_order_acquire)) & 1)
            ;
        l = atomic_load_explicit(&left, memory_order_relaxed);
        r = atomic_load_explicit(&right, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
        after = atomic_load_explicit(&sequence, memory_order_relaxed);
    } while (before != after);
    assert(l == -r);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    reader(NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
