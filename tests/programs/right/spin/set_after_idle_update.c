/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: the store that ends the loop comes right after an update that writes what it found */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int other, flag;

static void *set(void *arg)
{
    atomic_exchange(&other, 0);
    atomic_store(&flag, 1);
    return arg;
}

static void *wait_for(void *arg)
{
    int seen;
    do {
        atomic_load(&flag);
        seen = atomic_load(&flag);
    } while (seen == 0);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, set, NULL);
    pthread_create(&t[1], NULL, wait_for, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
