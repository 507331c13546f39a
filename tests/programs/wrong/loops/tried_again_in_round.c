/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* mode: all */
/* note: a mutex that is tried once more in every round, without a step, is not where it was: after two rounds one unlock is too few */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static atomic_int ready;

static void *wait_for_it(void *arg)
{
    do
        pthread_mutex_trylock(&m);
    while (!atomic_load(&ready));
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t waiter;
    pthread_create(&waiter, NULL, wait_for_it, NULL);
    atomic_store(&ready, 1);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_join(waiter, NULL);
    return 0;
}
