/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* sc: holds */
/* tso: holds */
/* mode: all */
/* flags-plumb: --fold */
/* note: the failed CAS acquires less than the load would: not as if the load had found the value */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int data;
int copy;

static void *reader(void *unused)
{
    int seen = atomic_load_explicit(&x, memory_order_acquire);
    while (!atomic_compare_exchange_strong_explicit(&x, &seen, seen + 2, memory_order_relaxed,
                                                    memory_order_relaxed))
        ;
    if (seen == 1)
        copy = data;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    data = 5;
    atomic_store_explicit(&x, 1, memory_order_release);
    pthread_join(t, NULL);
}
