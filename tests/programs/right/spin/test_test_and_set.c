/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int counter;

static void *add(void *arg)
{
    (void)arg;
    for (;;) {
        while (atomic_load_explicit(&lock, memory_order_relaxed))
            ;
        if (!atomic_exchange_explicit(&lock, 1, memory_order_acquire))
            break;
    }
    counter++;
    atomic_store_explicit(&lock, 0, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(counter == 3);
    return 0;
}
