/* SPDX-License-Identifier: Apache-2.0 */
/* A later round than the first reads what is written by who knows that the rounds are over, without being ordered after them: with too few returns the race is not seen, and that is said. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lamp, looks, stop, gone;
static int level, seen;

static void *blink(void *arg)
{
    int look = 0;
    while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
        look = atomic_load_explicit(&looks, memory_order_relaxed);
        atomic_store_explicit(&lamp, 1, memory_order_relaxed);
        atomic_store_explicit(&lamp, 0, memory_order_relaxed);
        if (look)
            seen = level;
        look = 0;
        __asm__ volatile("" : "+r"(look)); /* what it held is of no use, and gone */
    }
    atomic_store_explicit(&gone, 1 + look, memory_order_relaxed);
    return arg;
}

static void *ask(void *arg)
{
    if (atomic_load_explicit(&lamp, memory_order_relaxed))
        atomic_store_explicit(&looks, 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t blinker, asker;
    pthread_create(&blinker, NULL, blink, NULL);
    pthread_create(&asker, NULL, ask, NULL);
    atomic_store_explicit(&stop, 1, memory_order_relaxed);
    if (atomic_load_explicit(&gone, memory_order_relaxed))
        level = 1;
    pthread_join(blinker, NULL);
    pthread_join(asker, NULL);
    return 0;
}
