/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated double-free */
/* mode: all */
/* note: both threads find the pointer set before one of them clears it */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) cache;

static void *drop(void *unused)
{
    (void)unused;
    int *p = atomic_load(&cache);
    atomic_store(&cache, NULL);
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
