/* SPDX-License-Identifier: Apache-2.0 */
/* expect: inconclusive */
/* flags-plumb: --compute 0.1 */
/* note: endless, but its states come again only after two thousand million rounds: that is not seen */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *work(void *arg)
{
    (void)arg;
    if (atomic_load(&ready))
        for (volatile unsigned i = 1; i != 0; i += 2)
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
