/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated leak */
/* flags-plumb: --leaks */
/* note: the second store overwrites the only pointer to the first block */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) slot;

static void *put(void *arg)
{
    (void)arg;
    int *mine = malloc(sizeof *mine);
    *mine = 1;
    atomic_store(&slot, mine);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, put, NULL);
    pthread_create(&b, NULL, put, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(atomic_exchange(&slot, NULL));
    return 0;
}
