/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: a release fence pairs with an acquire load, a release store with an acquire fence */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int first, second;
static atomic_int x, y;

static void *other(void *arg)
{
    (void)arg;
    first = 1;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    if (atomic_load_explicit(&y, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        assert(second == 2);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    second = 2;
    atomic_store_explicit(&y, 1, memory_order_release);
    if (atomic_load_explicit(&x, memory_order_acquire))
        assert(first == 1);
    pthread_join(t, NULL);
    return 0;
}
