/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* tso: holds */
/* sc: holds */
/* note: a later relaxed store of the same thread does not continue the release sequence (C++20) */
#include <pthread.h>
#include <stdatomic.h>

int data, copy;
static atomic_int stage;

static void *writer(void *arg)
{
    (void)arg;
    data = 1;
    atomic_store_explicit(&stage, 1, memory_order_release);
    data = 2;
    atomic_store_explicit(&stage, 2, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    if (atomic_load_explicit(&stage, memory_order_acquire) == 2)
        copy = data;
    pthread_join(t, NULL);
    return 0;
}
