/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: the counter says when to yield, and in the end that it was enough */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int flag;

static void *wait_for(void *arg)
{
    int tries = 0;
    while (!atomic_load(&flag)) {
        if (++tries % 2 == 0)
            sched_yield();
        if (tries == 6)
            break;
    }
    assert(tries < 6);
    return arg;
}

static void *set(void *arg)
{
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
