/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SIZE = 2 };

static int ring[SIZE];
static atomic_uint written, consumed;

static void *producer(void *arg)
{
    (void)arg;
    for (unsigned i = 0; i < 3; i++) {
        while (i - atomic_load_explicit(&consumed, memory_order_acquire) == SIZE)
            ;
        ring[i % SIZE] = (int)i + 1;
        atomic_store_explicit(&written, i + 1, memory_order_release);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, producer, NULL);
    for (unsigned i = 0; i < 3; i++) {
        while (atomic_load_explicit(&written, memory_order_acquire) == i)
            ;
        assert(ring[i % SIZE] == (int)i + 1);
        atomic_store_explicit(&consumed, i + 1, memory_order_release);
    }
    pthread_join(t, NULL);
    return 0;
}
