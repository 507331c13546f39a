/* SPDX-License-Identifier: Apache-2.0 */
/* A loop that waits and counts: it has as many executions as there are numbers. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done, rounds;

static void *wait(void *unused)
{
    while (!atomic_load(&done))
        atomic_fetch_add(&rounds, 1);
    return unused;
}

int main(void)
{
    pthread_t waiter;
    pthread_create(&waiter, NULL, wait, NULL);
    atomic_store(&done, 1);
    pthread_join(waiter, NULL);
#ifndef FEW
#define FEW __INT_MAX__
#endif
    assert(atomic_load(&rounds) < FEW);
}
