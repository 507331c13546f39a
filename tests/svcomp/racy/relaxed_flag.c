/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdatomic.h>

int message;
atomic_int ready;

void *send(void *unused)
{
    message = 1;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

void *take(void *unused)
{
    if (atomic_load_explicit(&ready, memory_order_acquire))
        message++;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, send, 0);
    pthread_create(&b, 0, take, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
