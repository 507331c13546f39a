/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated leak */
/* flags-plumb: --leaks */
/* note: only the loser of the race leaks */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) instance;

static void *get(void *arg)
{
    (void)arg;
    if (!atomic_load(&instance)) {
        int *mine = malloc(sizeof *mine), *expected = NULL;
        *mine = 4;
        atomic_compare_exchange_strong(&instance, &expected, mine);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, get, NULL);
    pthread_create(&b, NULL, get, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(atomic_load(&instance));
    return 0;
}
