/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: a vector of 32 bytes is published by a relaxed store */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

typedef int wide __attribute__((vector_size(32)));

static wide shared, other;
static atomic_int ready;

static void *load(void *arg)
{
    if (atomic_load_explicit(&ready, memory_order_relaxed))
        other = shared;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, load, NULL);
    shared = other + 1;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    pthread_join(t, NULL);
    return 0;
}
