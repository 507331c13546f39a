/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: whoever set the flag, the reader finds the same everywhere; what is written is what was there. FIRST: order of threads */
#include <pthread.h>
#include <stdatomic.h>
#ifndef FIRST
#define FIRST 0
#endif

static atomic_int flag;
static int data;

static void *publish(void *unused)
{
    data = 0;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return unused;
}

static void *pretend(void *unused)
{
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

static void *look(void *unused)
{
    if (atomic_load_explicit(&flag, memory_order_acquire) == 1 && data != 0)
        return NULL;
    return unused;
}

int main(void)
{
    static void *(*const all[])(void *) = {publish, look, pretend};
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, all[(FIRST + i) % 3], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
