/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-free|race */
/* mode: all */
/* note: the hazard pointer is not compared with the list again after it was set */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) head, hazard;
int seen;

static void *reader(void *unused)
{
    (void)unused;
    int *p = atomic_load(&head);
    atomic_store(&hazard, p);
    if (p)
        seen = *p;
    atomic_store(&hazard, NULL);
    return NULL;
}

static void *remover(void *unused)
{
    (void)unused;
    int *p = atomic_exchange(&head, NULL);
    if (atomic_load(&hazard) != p)
        free(p);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int *p = malloc(sizeof *p);
    *p = 1;
    atomic_store(&head, p);
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, remover, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
