/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race|use-after-free */
/* mode: dfs */
/* sc: holds */
/* tso: holds */
/* note: the last access is not ordered before the free */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *a;
static atomic_int done;

static void *use(void *arg)
{
    atomic_fetch_add_explicit(a, 1, memory_order_relaxed);
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t;
    a = malloc(sizeof *a);
    atomic_init(a, 0);
    pthread_create(&t, NULL, use, NULL);
    if (atomic_load_explicit(&done, memory_order_relaxed))
        free(a);
    pthread_join(t, NULL);
    return 0;
}
