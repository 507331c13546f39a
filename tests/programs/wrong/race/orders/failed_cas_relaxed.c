/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* tso: holds */
/* sc: holds */
/* note: a failed CAS has only its failure order, and that is relaxed */
#include <pthread.h>
#include <stdatomic.h>

int data, copy;
static atomic_int state;

static void *writer(void *arg)
{
    (void)arg;
    data = 1;
    atomic_store_explicit(&state, 7, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    int expected = 100;
    atomic_compare_exchange_strong_explicit(&state, &expected, 1, memory_order_acq_rel, memory_order_relaxed);
    if (expected == 7)
        copy = data;
    pthread_join(t, NULL);
    return 0;
}
