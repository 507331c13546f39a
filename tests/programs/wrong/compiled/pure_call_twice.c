/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: of two calls of a function that promises to do nothing but read, the second may find another value */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int shared;

__attribute__((pure, noinline)) static int read_it(void)
{
    return atomic_load_explicit(&shared, memory_order_relaxed);
}

static void *writer(void *arg)
{
    atomic_store_explicit(&shared, 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    int first = read_it();
    int second = read_it();
    pthread_join(t, NULL);
    assert(first == second);
    return 0;
}
