/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: a spin lock whose test and set are two steps */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock, inside;

static void *enter(void *arg)
{
    (void)arg;
    while (atomic_load(&lock))
        ;
    atomic_store(&lock, 1);
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    atomic_store(&lock, 0);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
