/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: a thread that has come a long way before it goes round */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turns, lamp;

static void *turn(void *unused)
{
    for (int i = 0; i < 400; i++)
        atomic_store_explicit(&turns, i, memory_order_relaxed);
    for (;;) {
        atomic_store(&lamp, 1);
        atomic_store(&lamp, 0);
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, turn, NULL);
    pthread_detach(t);
    return 0;
}
