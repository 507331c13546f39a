/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-return|race */
/* mode: all */
/* note: the function that hands out its variable returns without waiting for the answer; the next one, in its place, waits */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(int *) offered;
static atomic_int done;

static __attribute__((noinline)) void offer(void)
{
    int own = 1;
    atomic_store_explicit(&offered, &own, memory_order_release);
}

static __attribute__((noinline)) int wait(void)
{
    volatile int room[8] = {0};
    while (!atomic_load_explicit(&done, memory_order_acquire))
        continue;
    return room[0];
}

static void *work(void *arg)
{
    int *p;
    while (!(p = atomic_load_explicit(&offered, memory_order_acquire)))
        continue;
    *p = 2;
    atomic_store_explicit(&done, 1, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    offer();
    int room = wait();
    pthread_join(t, NULL);
    return room;
}
