/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: the turn is given away before the interest is shown */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int interested[2], victim, inside;

static void *enter(void *arg)
{
    int me = (int)(intptr_t)arg;
    atomic_store(&victim, me);
    atomic_store(&interested[me], 1);
    while (atomic_load(&interested[!me]) && atomic_load(&victim) == me)
        ;
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    atomic_store(&interested[me], 0);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, enter, (void *)0);
    pthread_create(&b, NULL, enter, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
