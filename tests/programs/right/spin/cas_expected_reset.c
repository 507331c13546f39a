/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: each round rewrites `expected` on the stack before it reads it: still a spin */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int owner;
static int counter;

static void *add(void *arg)
{
    int me = *(int *)arg, expected;
    do
        expected = 0;
    while (!atomic_compare_exchange_strong_explicit(&owner, &expected, me, memory_order_acquire,
                                                    memory_order_relaxed));
    counter++;
    atomic_store_explicit(&owner, 0, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int one = 1, two = 2;
    pthread_create(&a, NULL, add, &one);
    pthread_create(&b, NULL, add, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
