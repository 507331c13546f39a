/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --symmetry */
/* Too many executions but for symmetry: 24 readers of a write, each of which then takes a ticket. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { READERS = 24 };
static atomic_int flag, seen, unseen;

static void *look(void *unused)
{
    atomic_fetch_add(atomic_load(&flag) ? &seen : &unseen, 1);
    return unused;
}

int main(void)
{
    pthread_t t[READERS];
    for (int i = 0; i < READERS; i++)
        pthread_create(&t[i], NULL, look, NULL);
    atomic_store(&flag, 1);
    for (int i = 0; i < READERS; i++)
        pthread_join(t[i], NULL);
    assert(seen + unseen == READERS);
}
