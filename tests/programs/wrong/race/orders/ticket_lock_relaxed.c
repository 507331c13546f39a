/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* tso: holds */
/* sc: holds */
/* note: waits for its turn with a relaxed load */
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next_ticket, now_serving;
int counter;

static void *add(void *arg)
{
    (void)arg;
    unsigned mine = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
    while (atomic_load_explicit(&now_serving, memory_order_relaxed) != mine)
        ;
    counter++;
    atomic_store_explicit(&now_serving, mine + 1, memory_order_release);
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
