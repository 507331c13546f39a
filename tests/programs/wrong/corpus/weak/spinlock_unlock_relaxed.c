/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* tso: holds */
/* sc: holds */
/* note: the unlock is relaxed: the next owner need not see what was written */
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
    atomic_store_explicit(&lock, 0, memory_order_relaxed);
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
