/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: dfs */
/* note: load and store are atomic, the increment is not */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *add(void *arg)
{
    (void)arg;
    int old = atomic_load(&counter);
    atomic_store(&counter, old + 1);
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
