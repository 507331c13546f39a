/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <pthread.h>
#include <stdatomic.h>

static int value;
static atomic_int state;
int seen;

static void *maker(void *unused)
{
    (void)unused;
    value = 8;
    atomic_store_explicit(&state, 1, memory_order_release);
    return NULL;
}

static void *user(void *unused)
{
    (void)unused;
    int expected = 0;
    if (!atomic_compare_exchange_strong_explicit(&state, &expected, 2, memory_order_acquire,
                                                 memory_order_acquire))
        seen = value;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, maker, NULL);
    pthread_create(&t[1], NULL, user, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
