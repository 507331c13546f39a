/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: assert */
/* wrong-sc: holds */
/* wrong-tso: holds */
/* note: a sequence lock that copies relaxed words; wrong: no fence between the copy and the second look */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { WORDS = 3 };

static atomic_uint sequence;
static atomic_int words[WORDS];

static void write_all(int v)
{
    unsigned s = atomic_load_explicit(&sequence, memory_order_relaxed);
    atomic_store_explicit(&sequence, s + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    for (int i = 0; i < WORDS; i++)
        atomic_store_explicit(&words[i], v, memory_order_relaxed);
    atomic_store_explicit(&sequence, s + 2, memory_order_release);
}

static void read_all(int *copy)
{
    unsigned before, after;
    do {
        before = atomic_load_explicit(&sequence, memory_order_acquire);
        for (int i = 0; i < WORDS; i++)
            copy[i] = atomic_load_explicit(&words[i], memory_order_relaxed);
#ifndef WRONG
        atomic_thread_fence(memory_order_acquire);
#endif
        after = atomic_load_explicit(&sequence, memory_order_relaxed);
    } while (before != after || before % 2 == 1);
}

static void *writer(void *arg)
{
    write_all(1);
    return arg;
}

int main(void)
{
    int copy[WORDS];
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    read_all(copy);
    for (int i = 1; i < WORDS; i++)
        assert(copy[i] == copy[0]);
    pthread_join(thread, NULL);
    return 0;
}
