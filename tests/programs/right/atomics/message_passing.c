/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *writer(void *arg)
{
    (void)arg;
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return NULL;
}

static void *reader(void *arg)
{
    (void)arg;
    if (atomic_load_explicit(&ready, memory_order_acquire))
        assert(data == 42);
    return NULL;
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
