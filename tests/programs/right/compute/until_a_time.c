/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* machine: x86-64 */
/* flags-plumb: --compute 0.2 */
/* note: the processor's clock ends the loop, although registers and stack may be the same each time */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static unsigned long now(void)
{
    unsigned low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (unsigned long)high << 32 | low;
}

static void *work(void *arg)
{
    (void)arg;
    unsigned long end = now() + 60000000000;
    if (atomic_load(&ready))
        while (now() < end)
            ;
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    atomic_store(&ready, 1);
    pthread_join(t, NULL);
    return 0;
}
