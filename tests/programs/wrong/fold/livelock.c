/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* mode: all */
/* flags-plumb: --fold */
/* note: the CAS never expects what is there: every round comes back, forever */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *work(void *unused)
{
    for (;;) {
        int seen = atomic_load(&x), wrong = seen + 1;
        if (atomic_load(&y) == 2 || atomic_compare_exchange_strong(&x, &wrong, 7))
            break;
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    atomic_store(&y, 1);
    atomic_store(&x, 3);
    pthread_join(t, NULL);
}
