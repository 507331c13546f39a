/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int left, right;

static void *writer(void *arg)
{
    (void)arg;
    atomic_fetch_add(&sequence, 1);
    atomic_store(&left, 1);
    atomic_store(&right, 1);
    atomic_fetch_add(&sequence, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    while (atomic_load(&sequence) & 1)
        ;
    int l = atomic_load(&left), r = atomic_load(&right);
    assert(l == r);
    pthread_join(t, NULL);
    return 0;
}
