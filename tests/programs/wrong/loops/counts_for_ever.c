/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* races: inconclusive */
/* mode: all */
/* note: the flag is never set if the other thread was first; the thread that waits counts, and never is where it was */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int flag, taken;

static void *wait_for(void *arg)
{
    unsigned spins = 0;
    atomic_exchange(&taken, 1);
    while (!atomic_load(&flag))
        if (++spins % 64 == 0)
            sched_yield();
    return arg;
}

static void *set(void *arg)
{
    if (atomic_exchange(&taken, 1))
        atomic_store(&flag, 1);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, wait_for, NULL);
    pthread_create(&two, NULL, set, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
