/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated runaway */
/* machine: x86-64 */
/* note: computes forever, touching nothing shared: the counter, always odd, comes round again, within the instructions that are looked at one by one */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *work(void *arg)
{
    (void)arg;
    if (atomic_load(&ready))
        for (volatile unsigned char i = 1; i != 0; i += 16)
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
