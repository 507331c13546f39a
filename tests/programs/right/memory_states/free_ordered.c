/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: release and acquire order the free after the last access */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *a;
static atomic_int done;

static void *use(void *arg)
{
    atomic_fetch_add_explicit(a, 1, memory_order_relaxed);
    atomic_store_explicit(&done, 1, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t t;
    a = malloc(sizeof *a);
    atomic_init(a, 0);
    pthread_create(&t, NULL, use, NULL);
    if (atomic_load_explicit(&done, memory_order_acquire))
        free(a);
    pthread_join(t, NULL);
    return 0;
}
