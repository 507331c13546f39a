/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* tso: holds */
/* sc: holds */
/* mode: dfs */
/* note: never fails when run one step at a time: only happens-before shows it */
#include <pthread.h>
#include <stdatomic.h>

int data, copy;
static atomic_int ready;

static void *writer(void *arg)
{
    (void)arg;
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    if (atomic_load_explicit(&ready, memory_order_acquire))
        copy = data;
    pthread_join(t, NULL);
    return 0;
}
