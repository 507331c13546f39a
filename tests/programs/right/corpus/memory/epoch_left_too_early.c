/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) config;
static atomic_int reading;
int seen;

static void *reader(void *unused)
{
    (void)unused;
    atomic_store(&reading, 1);
    int *p = atomic_load(&config);
    seen = *p;
    atomic_store(&reading, 0);
    return NULL;
}

static void *updater(void *unused)
{
    (void)unused;
    int *fresh = malloc(sizeof *fresh);
    *fresh = 2;
    int *old = atomic_exchange(&config, fresh);
    while (atomic_load(&reading))
        ;
    free(old);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int *p = malloc(sizeof *p);
    *p = 1;
    atomic_store(&config, p);
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, updater, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
