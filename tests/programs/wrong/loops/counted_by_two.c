/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* note: two threads that wait for a third one count their rounds in one place, plainly, which nobody reads */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static unsigned long spins;

static void *wait(void *arg)
{
    while (!atomic_load_explicit(&ready, memory_order_relaxed))
        spins++;
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, wait, NULL);
    pthread_create(&two, NULL, wait, NULL);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
