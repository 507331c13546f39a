/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: nothing is written when there is no round */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;

static void *first(void *arg)
{
    data = 1;
    atomic_store_explicit(&ready, 3, memory_order_release);
    return arg;
}

static void *second(void *arg)
{
    int rounds = atomic_load_explicit(&ready, memory_order_acquire);
    for (int i = 0; i < rounds; i++)
        data += i;
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
