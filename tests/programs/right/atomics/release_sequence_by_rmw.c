/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: a relaxed read-modify-write of another thread continues the release sequence */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int stage;

static void *writer(void *arg)
{
    (void)arg;
    data = 1;
    atomic_store_explicit(&stage, 1, memory_order_release);
    return NULL;
}

static void *helper(void *arg)
{
    (void)arg;
    atomic_fetch_add_explicit(&stage, 10, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, helper, NULL);
    if (atomic_load_explicit(&stage, memory_order_acquire) == 11)
        assert(data == 1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
