/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *add(void *arg)
{
    (void)arg;
    int old = atomic_load(&counter);
    while (!atomic_compare_exchange_strong(&counter, &old, old + 1))
        ;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&counter) == 2);
    return 0;
}
