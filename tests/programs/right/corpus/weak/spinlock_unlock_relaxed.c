/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int counter;

static void *worker(void *unused)
{
    (void)unused;
    while (atomic_exchange_explicit(&lock, 1, memory_order_acquire))
        ;
    counter++;
    atomic_store_explicit(&lock, 0, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, worker, NULL);
    pthread_create(&t[1], NULL, worker, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
