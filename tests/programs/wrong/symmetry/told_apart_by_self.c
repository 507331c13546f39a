/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* flags-plumb: --symmetry */
/* Two threads that do the same know their names. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int tickets;
static _Atomic pthread_t winner;

static void *take(void *unused)
{
    if (atomic_fetch_add(&tickets, 1) == 0)
        atomic_store(&winner, pthread_self());
    return unused;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, take, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(pthread_equal(atomic_load(&winner), t[0]));
}
