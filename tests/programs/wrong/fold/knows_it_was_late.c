/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* flags-plumb: --fold */
/* note: whoever looks at the item and comes too late goes on where one who saw nothing does, but remembers it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int place = 1, other;
static int late[2];

static void *take(void *which)
{
    int seen = atomic_load_explicit(&place, memory_order_acquire), item = seen;
    if (!seen || !atomic_compare_exchange_strong_explicit(&place, &item, 0, memory_order_acq_rel,
                                                          memory_order_acquire)) {
        atomic_load_explicit(&other, memory_order_acquire);
        late[(size_t)which] = seen;
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (size_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, take, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(!late[0] && !late[1]);
}
