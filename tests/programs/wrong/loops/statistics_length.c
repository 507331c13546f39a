/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: what counts rounds is only printed, but the length of what was printed is looked at */
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
    int length = printf("%lx\n", atomic_load(&spins) << 60);
    assert(length == 2);
    return 0;
}
