/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* flags-plumb: --fold */
/* note: what a failed CAS found stays where its address was taken, and is used after the loop */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, stop;
static int found;

static void *work(void *unused)
{
    int kept = 100;
    for (;;) {
        if (atomic_load(&stop))
            break;
        if (atomic_compare_exchange_strong(&x, &kept, 9))
            break;
    }
    found = kept;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    atomic_store(&stop, 1);
    pthread_join(t, NULL);
    assert(found == 100 || atomic_load(&x) == 9);
}
