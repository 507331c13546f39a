/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: a thread looks a thousand times at what is on its own stack; the rounds of the other one are seen */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct gate {
    atomic_int open, seen;
};

static void *lift(void *arg)
{
    struct gate *g = arg;
    atomic_store(&g->open, 1);
    while (atomic_load(&g->seen) == 0) { /* what it does meanwhile others can see */
        atomic_store(&g->open, 2);
        atomic_store(&g->open, 1);
    }
    return NULL;
}

static __attribute__((noinline)) int passes(struct gate *g)
{
    for (int left = 1000; left > 0; left--)
        if (atomic_load(&g->open) != 0)
            return 1;
    return 0;
}

int main(void)
{
    struct gate g = {0};
    pthread_t other;
    pthread_create(&other, NULL, lift, &g);
    int passed = passes(&g);
    atomic_store(&g.seen, 1);
    pthread_join(other, NULL);
    assert(passed || atomic_load(&g.open) == 1);
    return 0;
}
