/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --fold */
/* note: takers look for an item in two places, and exchange what they see for nothing. Whoever comes too late for one looks
 * on, as if nothing had been there. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int places[2];
static atomic_int taken;

static void *take(void *unused)
{
    for (int i = 0; i < 2; i++) {
        int item = atomic_load_explicit(&places[i], memory_order_acquire);
        if (item && atomic_compare_exchange_strong_explicit(&places[i], &item, 0, memory_order_acq_rel,
                                                            memory_order_acquire)) {
            atomic_fetch_add_explicit(&taken, item, memory_order_relaxed);
            break;
        }
    }
    return unused;
}

int main(void)
{
    pthread_t t[3];
    atomic_init(&places[0], 1);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, take, NULL);
    atomic_store_explicit(&places[1], 2, memory_order_release);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    int left = places[0] + places[1];
    assert(taken + left == 3 && (left & 1) == 0);
}
