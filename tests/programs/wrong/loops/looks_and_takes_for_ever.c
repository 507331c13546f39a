/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* mode: all */
/* note: a round that looks, and exchanges one for one: nothing changes, and it never ends */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;

static void *leave(void *arg)
{
    atomic_store(&taken, 0);
    return arg;
}

static void *take(void *arg)
{
    atomic_store(&taken, 1);
    do
        atomic_load(&taken);
    while (atomic_exchange(&taken, 1) != 0);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, leave, NULL);
    pthread_create(&t[1], NULL, take, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
