/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* mode: all */
/* flags-plumb: --loops 2 --steps 400 */
/* machine: x86-64 */
/* note: the processor's clock ends the loop, which finds the same each time; the instruction is the compiler's, not of assembly */
#include <pthread.h>
#include <stdatomic.h>
#include <x86intrin.h>

static atomic_int turns;

static void *work(void *arg)
{
    unsigned long long end = __rdtsc() + 60000000000;
    while (__rdtsc() < end)
        (void)atomic_load(&turns);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
