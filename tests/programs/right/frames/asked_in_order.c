/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: a function returns, and after that another one hands out its own variable, by release and acquire; it waits for the answer */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(int *) offered;
static atomic_int done;

static __attribute__((noinline)) int use_stack(int x)
{
    volatile int room[8] = {x};
    return room[x];
}

static __attribute__((noinline)) int offer(void)
{
    int own = 1;
    atomic_store_explicit(&offered, &own, memory_order_release);
    while (!atomic_load_explicit(&done, memory_order_acquire))
        continue;
    return own;
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
    int first = use_stack(1), own = offer();
    pthread_join(t, NULL);
    return first || own != 2;
}
