/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* sc: holds */
/* tso: holds */
/* mode: all */
/* flags-plumb: --fold */
/* note: only the plain read of a round in vain races with the last write: the program is checked again without folding */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, done;
static int data;

static void *reader(void *unused)
{
    for (;;) {
        int seen = atomic_load_explicit(&x, memory_order_acquire);
        if (seen == 1)
            assert(data == 5);
        if (atomic_load_explicit(&x, memory_order_acquire) == seen && seen != 1)
            break;
    }
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    data = 5;
    atomic_store_explicit(&x, 1, memory_order_release);
    atomic_store_explicit(&x, 2, memory_order_release);
    if (atomic_load_explicit(&done, memory_order_relaxed))
        data = 6;
    pthread_join(t, NULL);
}
