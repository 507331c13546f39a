/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* races: inconclusive */
/* mode: all */
/* note: a loop that keeps what it reads in a variable comes back to the same state */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;
static int cache;

static void *follow(void *arg)
{
    while (cache == 0)
        cache = atomic_load_explicit(&flag, memory_order_acquire);
    assert(data == 42);
    return arg;
}

static void *set(void *arg)
{
    data = 42;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, follow, NULL);
    pthread_create(&t[1], NULL, set, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
