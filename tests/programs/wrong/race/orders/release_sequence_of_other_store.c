/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* tso: holds */
/* sc: holds */
/* note: a relaxed store of another thread hides the release store */
#include <pthread.h>
#include <stdatomic.h>

int data, copy;
static atomic_int stage;

static void *writer(void *arg)
{
    (void)arg;
    data = 1;
    atomic_store_explicit(&stage, 1, memory_order_release);
    return NULL;
}

static void *helper(void *arg)
{
    (void)arg;
    if (atomic_load_explicit(&stage, memory_order_relaxed) == 1)
        atomic_store_explicit(&stage, 2, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, helper, NULL);
    while (atomic_load_explicit(&stage, memory_order_relaxed) == 0)
        ;
    if (atomic_load_explicit(&stage, memory_order_acquire) == 2)
        copy = data;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
