/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* races: inconclusive */
/* mode: all */
/* note: the loop compares with what it has kept in memory of its own: a round that kept something new is not in vain */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int cache, changes;

static void *follow(void *arg)
{
    while (cache < 2) {
        int now = atomic_load(&flag);
        if (now != cache)
            changes++;
        cache = now;
    }
    return arg;
}

static void *set(void *arg)
{
    atomic_store(&flag, 1);
    atomic_store(&flag, 0);
    atomic_store(&flag, 2);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, follow, NULL);
    pthread_create(&t[1], NULL, set, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(changes != 3);
    return 0;
}
