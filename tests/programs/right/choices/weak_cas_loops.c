/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* flags-plumb: --weak-cas */
/* note: loops of one and of two alternating tries end although any of them may fail */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count, left, right;

static void *add(void *unused)
{
    int seen = atomic_load(&count);
    while (!atomic_compare_exchange_weak(&count, &seen, seen + 1))
        ;
    return unused;
}

static void *take_one(void *unused)
{
    for (;;) {
        int nobody = 0;
        if (atomic_compare_exchange_weak(&left, &nobody, 1))
            break;
        nobody = 0;
        if (atomic_compare_exchange_weak(&right, &nobody, 1))
            break;
    }
    return add(unused);
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, add, NULL);
    take_one(NULL);
    pthread_join(a, NULL);
    assert(atomic_load(&count) == 2 && atomic_load(&left) + atomic_load(&right) == 1);
}
