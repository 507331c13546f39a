/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: race */
/* wrong-sc: holds */
/* wrong-tso: holds */
/* note: the first caller initialises, the others spin until it is done; wrong: their load is relaxed */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#ifdef WRONG
#define LOOK memory_order_relaxed
#else
#define LOOK memory_order_acquire
#endif

enum { NONE, RUNNING, DONE };

static atomic_int state;
static int table[2], runs;

static void init_once(void)
{
    int expected = NONE;
    if (atomic_load_explicit(&state, LOOK) == DONE)
        return;
    if (atomic_compare_exchange_strong_explicit(&state, &expected, RUNNING, LOOK, LOOK)) {
        table[0] = table[1] = 4;
        runs++;
        atomic_store_explicit(&state, DONE, memory_order_release);
        return;
    }
    while (atomic_load_explicit(&state, LOOK) != DONE)
        sched_yield();
}

static void *run(void *arg)
{
    init_once();
    assert(table[0] == 4 && table[1] == 4 && runs == 1);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, run, NULL);
    pthread_create(&two, NULL, run, NULL);
    run(NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
