/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* note: two atomics that belong together are read one after the other */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int low, high;

static void *writer(void *arg)
{
    (void)arg;
    atomic_store(&low, 1);
    atomic_store(&high, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    int l = atomic_load(&low), h = atomic_load(&high);
    assert(l == h);
    pthread_join(t, NULL);
    return 0;
}
