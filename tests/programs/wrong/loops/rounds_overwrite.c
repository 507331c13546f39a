/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: each round writes what the round before wrote, and it is seen twice: two rounds are needed */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, stop;
static int first, second;

static void *clear(void *arg)
{
    do
        atomic_store(&x, 0);
    while (!atomic_load(&stop));
    return arg;
}

static void *look(void *arg)
{
    atomic_store(&x, 2);
    first = atomic_load(&x);
    atomic_store(&x, 3);
    second = atomic_load(&x);
    atomic_store(&stop, 1);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, clear, NULL);
    pthread_create(&t[1], NULL, look, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(!(first == 0 && second == 0));
    return 0;
}
