/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* flags-plumb: --compute 0.1 */
/* note: it would end, after some seconds; no state comes twice */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *work(void *arg)
{
    (void)arg;
    unsigned long sum = 0;
    if (atomic_load(&ready))
        for (unsigned long i = 0; i < 10000000000; i++)
            sum = sum * 31 + i;
    return (void *)sum;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    atomic_store(&ready, 1);
    pthread_join(t, NULL);
    return 0;
}
