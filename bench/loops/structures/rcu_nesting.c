/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* wrong: use-after-free|race */
/* note: readers count their nesting, the writer waits until each of them was outside once */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { READERS = 2 };

static atomic_int nesting[READERS];
static _Atomic(int *) current;

static void synchronize(void)
{
    atomic_thread_fence(memory_order_seq_cst);
#ifdef WRONG
    for (int i = 0; i < READERS - 1; i++)
#else
    for (int i = 0; i < READERS; i++)
#endif
        while (atomic_load_explicit(&nesting[i], memory_order_relaxed) != 0)
            ;
    atomic_thread_fence(memory_order_seq_cst);
}

static void *reader(void *arg)
{
    atomic_int *mine = arg;
    atomic_store_explicit(mine, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    int *p = atomic_load_explicit(&current, memory_order_acquire);
    assert(*p == 1 || *p == 2);
    atomic_store_explicit(mine, 0, memory_order_release);
    return NULL;
}

static int *make(int v)
{
    int *p = malloc(sizeof *p);
    *p = v;
    return p;
}

int main(void)
{
    pthread_t threads[READERS];
    atomic_init(&current, make(1));
    for (int i = 0; i < READERS; i++)
        pthread_create(&threads[i], NULL, reader, &nesting[i]);
    int *old = atomic_exchange_explicit(&current, make(2), memory_order_acq_rel);
    synchronize();
    free(old);
    for (int i = 0; i < READERS; i++)
        pthread_join(threads[i], NULL);
    free(atomic_load(&current));
    return 0;
}
