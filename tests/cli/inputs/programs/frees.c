/* SPDX-License-Identifier: Apache-2.0 */
/* One thread frees what another has read, and nothing tells it that the other is done. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *shared;
static atomic_int done;

static void *run(void *unused)
{
    (void)unused;
    atomic_load(shared);
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t;
    shared = malloc(sizeof *shared);
    atomic_init(shared, 0);
    pthread_create(&t, NULL, run, NULL);
    if (atomic_load_explicit(&done, memory_order_relaxed))
        free((void *)shared);
    pthread_join(t, NULL);
    return 0;
}
