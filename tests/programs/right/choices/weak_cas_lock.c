/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* flags-plumb: --weak-cas --steps 2000 */
/* note: failures for a reason are still waits */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int owner;
static int count;

static void *add(void *unused)
{
    int nobody = 0;
    while (!atomic_compare_exchange_weak(&owner, &nobody, 1))
        nobody = 0;
    count++;
    atomic_store(&owner, 0);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, add, NULL);
    add(NULL);
    pthread_join(a, NULL);
    assert(count == 2);
}
