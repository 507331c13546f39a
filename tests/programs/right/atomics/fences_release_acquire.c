/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: relaxed accesses made safe by a release and an acquire fence */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *writer(void *arg)
{
    (void)arg;
    data = 42;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    if (atomic_load_explicit(&ready, memory_order_relaxed)) {
        atomic_thread_fence(memory_order_acquire);
        assert(data == 42);
    }
    pthread_join(t, NULL);
    return 0;
}
