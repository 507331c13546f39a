/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* flags-plumb: --fold */
/* note: the reader's rounds in which the number has changed are folded. It is in them only that the writer, who writes plainly,
 * races with it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int number, data;

static void *read(void *unused)
{
    for (;;) {
        int before = atomic_load_explicit(&number, memory_order_acquire);
        if (before % 2 != 0)
            continue;
        atomic_load_explicit(&data, memory_order_acquire);
        if (atomic_compare_exchange_strong_explicit(&number, &before, before + 2, memory_order_acq_rel,
                                                    memory_order_acquire))
            return unused;
    }
}

static void *write(void *unused)
{
    int before = 0;
    if (atomic_compare_exchange_strong_explicit(&number, &before, 1, memory_order_acq_rel,
                                                memory_order_acquire)) {
        *(int *)&data = 1;
        atomic_store_explicit(&number, 2, memory_order_release);
    }
    return unused;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, read, NULL);
    pthread_create(&t[1], NULL, write, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
}
