/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated runaway */
/* machine: x86-64 */
/* note: another state in each round, but no way out */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *work(void *arg)
{
    (void)arg;
    if (atomic_load(&ready))
        for (volatile unsigned i = 0;; i++)
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
