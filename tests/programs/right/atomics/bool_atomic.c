/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_bool taken;
static atomic_int winners;

static void *race_for_it(void *arg)
{
    (void)arg;
    bool expected = false;
    if (atomic_compare_exchange_strong(&taken, &expected, true))
        atomic_fetch_add(&winners, 1);
    else
        assert(expected);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, race_for_it, NULL);
    pthread_create(&b, NULL, race_for_it, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(winners == 1 && taken);
    return 0;
}
