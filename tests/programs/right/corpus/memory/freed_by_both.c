/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) cache;

static void *drop(void *unused)
{
    (void)unused;
    int *p = atomic_exchange(&cache, NULL);
    if (p)
        free(p);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    atomic_store(&cache, malloc(sizeof(int)));
    pthread_create(&a, NULL, drop, NULL);
    pthread_create(&b, NULL, drop, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
