/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: seq_cst fences between relaxed accesses */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int saw_x, saw_y;

static void *left(void *arg)
{
    (void)arg;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    saw_y = atomic_load_explicit(&y, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, left, NULL);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    saw_x = atomic_load_explicit(&x, memory_order_relaxed);
    pthread_join(a, NULL);
    assert(saw_x || saw_y);
    return 0;
}
