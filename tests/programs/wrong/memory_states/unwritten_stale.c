/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* mode: all */
/* sc: holds */
/* tso: holds */
/* note: the value has been stored when the flag is seen; but what the flag says does not make the store visible */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *value, ready;

static void *store(void *unused)
{
    atomic_store_explicit(value, 1, memory_order_relaxed);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t t;
    int found = 0;
    value = malloc(sizeof *value);
    pthread_create(&t, NULL, store, NULL);
    if (atomic_load_explicit(&ready, memory_order_relaxed))
        found = atomic_load_explicit(value, memory_order_relaxed);
    pthread_join(t, NULL);
    free(value);
    return found - found;
}
