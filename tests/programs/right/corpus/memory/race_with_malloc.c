/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(atomic_int *) box;

static void *maker(void *unused)
{
    (void)unused;
    atomic_int *block = malloc(sizeof *block);
    atomic_store_explicit(&box, block, memory_order_release);
    return NULL;
}

static void *user(void *unused)
{
    (void)unused;
    atomic_int *block = atomic_load_explicit(&box, memory_order_acquire);
    if (block)
        atomic_store_explicit(block, 7, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, maker, NULL);
    pthread_create(&t[1], NULL, user, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
