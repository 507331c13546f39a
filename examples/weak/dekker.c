/* SPDX-License-Identifier: Apache-2.0 */
/* Dekker's handshake with release and acquire: both threads may miss the other's flag and be inside at once. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], inside;

static void *enter(void *arg)
{
    int me = arg != NULL;
    atomic_store_explicit(&wants[me], 1, memory_order_release);
    if (!atomic_load_explicit(&wants[!me], memory_order_acquire)) {
        assert(atomic_fetch_add_explicit(&inside, 1, memory_order_relaxed) == 0);
        atomic_fetch_sub_explicit(&inside, 1, memory_order_relaxed);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, enter, &wants[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
