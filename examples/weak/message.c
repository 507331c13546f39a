/* SPDX-License-Identifier: Apache-2.0 */
/* Message passing in which the flag is raised without release: who sees the flag may miss the message. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int message, ready;

static void *sender(void *arg)
{
    atomic_store_explicit(&message, 42, memory_order_relaxed);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return arg;
}

static void *receiver(void *arg)
{
    if (atomic_load_explicit(&ready, memory_order_acquire)) {
        int got = atomic_load_explicit(&message, memory_order_relaxed);
        assert(got == 42);
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, sender, NULL);
    pthread_create(&b, NULL, receiver, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
