/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* flags-plumb: --symmetry */
/* All of six threads that do the same add to the initial value, in one execution only. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 6 };
static atomic_int count;

static void *add(void *unused)
{
    atomic_store(&count, atomic_load(&count) + 1);
    return unused;
}

int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    assert(count > 1);
}
