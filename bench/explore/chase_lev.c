// SPDX-License-Identifier: Apache-2.0
// Chase and Lev's deque, orders of Le, Pop, Cohen and Zappa Nardelli (2013): the owner pushes PUSHES and takes
// TAKES, each of THIEVES steals once.
#include <pthread.h>
#include <stdatomic.h>
#ifndef THIEVES
#define THIEVES 2
#endif
#ifndef PUSHES
#define PUSHES 3
#endif
#ifndef TAKES
#define TAKES 2
#endif
enum { SIZE = 8, EMPTY = -1, LOST = -2 };
static atomic_long top, bottom;
static atomic_int buffer[SIZE];

static void push(int value)
{
    long b = atomic_load_explicit(&bottom, memory_order_relaxed);
    atomic_load_explicit(&top, memory_order_acquire);
    atomic_store_explicit(&buffer[b % SIZE], value, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}

static int take(void)
{
    long b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
    atomic_store_explicit(&bottom, b, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    long t = atomic_load_explicit(&top, memory_order_relaxed);
    int value = EMPTY;
    if (t <= b) {
        value = atomic_load_explicit(&buffer[b % SIZE], memory_order_relaxed);
        if (t != b)
            return value;
        if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst,
                                                     memory_order_relaxed))
            value = EMPTY;
    }
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return value;
}

static int steal(void)
{
    long t = atomic_load_explicit(&top, memory_order_acquire);
    atomic_thread_fence(memory_order_seq_cst);
    long b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (t >= b)
        return EMPTY;
    int value = atomic_load_explicit(&buffer[t % SIZE], memory_order_relaxed);
    if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
        return LOST;
    return value;
}

static void *owner(void *unused)
{
    for (int i = 0; i < PUSHES; i++)
        push(i + 1);
    for (int i = 0; i < TAKES; i++)
        take();
    return unused;
}

static void *thief(void *unused)
{
    steal();
    return unused;
}

int main(void)
{
    pthread_t t[THIEVES + 1];
    for (int i = 0; i <= THIEVES; i++)
        pthread_create(&t[i], NULL, i ? thief : owner, NULL);
    for (int i = 0; i <= THIEVES; i++)
        pthread_join(t[i], NULL);
}
