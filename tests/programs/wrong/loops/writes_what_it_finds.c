/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* mode: all */
/* note: a lock that is never given back is waited for by rounds of a load and an exchange, which writes what is there. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int locked;

static void *take(void *arg)
{
    do {
        while (atomic_load(&locked) == 2)
            continue;
    } while (atomic_exchange(&locked, 1) != 0);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    atomic_store(&locked, 1);
    pthread_create(&one, NULL, take, NULL);
    pthread_create(&two, NULL, take, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
