/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: a thread that waits counts its rounds in plain memory and looks at the number afterwards: also where the execution has its rounds for the first time */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int rounds;

static void *wait(void *arg)
{
    while (!atomic_load_explicit(&ready, memory_order_acquire))
        rounds++;
    assert(rounds != 3);
    return arg;
}

static void *allow(void *arg)
{
    atomic_store_explicit(&ready, 1, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, wait, NULL);
    pthread_create(&two, NULL, allow, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
