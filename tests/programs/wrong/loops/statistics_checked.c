/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: what counts rounds is printed, and compared afterwards */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_ulong spins;
static atomic_int busy;

static void *run(void *arg)
{
    while (atomic_exchange(&busy, 1))
        atomic_fetch_add(&spins, 1);
    atomic_store(&busy, 0);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, run, NULL);
    pthread_create(&two, NULL, run, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    unsigned long count = atomic_load(&spins);
    printf("%lu spins\n", count);
    assert(count < 6);
    return 0;
}
