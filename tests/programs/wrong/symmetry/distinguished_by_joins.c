/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* flags-plumb: --symmetry */
/* Two threads that do the same are distinguished by what main does when the first one has ended. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int tickets, first_is_done;

static void *take(void *unused)
{
    if (atomic_fetch_add(&tickets, 1) == 0)
        atomic_store(&first_is_done, 1);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, take, NULL);
    pthread_join(t[0], NULL);
    assert(atomic_load(&first_is_done));
    pthread_join(t[1], NULL);
}
