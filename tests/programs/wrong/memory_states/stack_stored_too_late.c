/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* known-gcc-11: holds */
/* mode: dfs */
/* note: the thread's creator stores, but nothing orders that before the load */
#include <pthread.h>
#include <stdatomic.h>

static void *look(void *arg)
{
    atomic_load_explicit((atomic_int *)arg, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    atomic_int x;
    pthread_t t;
    pthread_create(&t, NULL, look, &x);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    pthread_join(t, NULL);
    return 0;
}
