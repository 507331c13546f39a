/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: no atomic access reads the counter of rounds, but a copy of the structure does, when all is over */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static struct statistics {
    int rounds, others;
} statistics;
static atomic_int flag;

static void *wait_for(void *arg)
{
    while (!atomic_load(&flag))
        __atomic_fetch_add(&statistics.rounds, 1, __ATOMIC_RELAXED);
    return arg;
}

static void *set(void *arg)
{
    atomic_store(&flag, 1);
    return arg;
}

int main(void)
{
    pthread_t waiter, setter;
    pthread_create(&waiter, NULL, wait_for, NULL);
    pthread_create(&setter, NULL, set, NULL);
    pthread_join(waiter, NULL);
    pthread_join(setter, NULL);
    struct statistics copy = statistics;
    assert(copy.rounds != 2);
    return 0;
}
