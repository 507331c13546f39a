/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* note: the plain spin: the waiter is blocked until the flag changes */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;

static void *writer(void *arg)
{
    (void)arg;
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    while (!atomic_load_explicit(&ready, memory_order_acquire))
        ;
    assert(data == 1);
    pthread_join(t, NULL);
    return 0;
}
