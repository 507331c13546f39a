/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

atomic_int interested[2], victim; /* not static: clang 14 would give each thread a victim of its own */
static int counter;

static void *add(void *arg)
{
    int me = (int)(intptr_t)arg;
    atomic_store(&interested[me], 1);
    atomic_store(&victim, me);
    while (atomic_load(&interested[!me]) && atomic_load(&victim) == me)
        ;
    counter++;
    atomic_store(&interested[me], 0);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, (void *)0);
    pthread_create(&b, NULL, add, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
