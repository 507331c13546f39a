/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: a parameter of an atomic type is a new variable with each call, at the address of the last one; compilers put it there without a word */
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
    int before = is_published(0), after = is_published(1);
    pthread_join(thread, NULL);
    assert(before || after);
    assert(!is_published(0));
    assert(is_published(1));
}
