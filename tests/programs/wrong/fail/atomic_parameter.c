/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: dfs */
/* note: right/atomics/parameter.c; with what the first call was given, the second would answer 0 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int published;

static int is_published(atomic_int version)
{
    return atomic_load_explicit(&published, memory_order_relaxed) == version;
}

static void *publish(void *arg)
{
    atomic_store_explicit(&published, 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, publish, NULL);
    is_published(5);
    pthread_join(thread, NULL);
    assert(!is_published(1));
}
