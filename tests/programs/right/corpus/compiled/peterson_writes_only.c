/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int owner;

static void enter(int me)
{
    atomic_store(&wants[me], 1);
    atomic_store(&turn, !me);
    while (atomic_load(&wants[!me]) && atomic_load(&turn) != me)
        ;
    owner = me;
    atomic_store(&wants[me], 0);
}

static void *one(void *unused)
{
    (void)unused;
    enter(0);
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    enter(1);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, one, NULL);
    pthread_create(&t[1], NULL, two, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
