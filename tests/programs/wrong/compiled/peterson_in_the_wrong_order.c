/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: Peterson's lock that gives way before it says that it wants to */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int inside;

static void enter(int me)
{
    atomic_store(&turn, 1 - me);
    atomic_store(&wants[me], 1);
    while (atomic_load_explicit(&wants[1 - me], memory_order_seq_cst) &&
           atomic_load_explicit(&turn, memory_order_seq_cst) == 1 - me)
        ;
}

static void leave(int me)
{
    atomic_store_explicit(&wants[me], 0, memory_order_release);
}

static void *first(void *arg)
{
    enter(0);
    inside = 1;
    leave(0);
    return arg;
}

static void *second(void *arg)
{
    enter(1);
    inside = 2;
    leave(1);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
