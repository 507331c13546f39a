/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* tso: holds */
/* sc: holds */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
int counter;

static void *add(void *arg)
{
    (void)arg;
    while (atomic_exchange_explicit(&lock, 1, memory_order_acquire))
        ;
    counter++;
    atomic_store_explicit(&lock, 0, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
