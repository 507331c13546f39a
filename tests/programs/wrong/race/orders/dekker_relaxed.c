/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* sc: holds */
/* note: excludes each other step by step, but relaxed flags order no data */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int wants[2];
int counter;

static void *add(void *arg)
{
    int me = (int)(intptr_t)arg;
    atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
    if (!atomic_load_explicit(&wants[!me], memory_order_relaxed))
        counter++;
    atomic_store_explicit(&wants[me], 0, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, add, (void *)1);
    add((void *)0);
    pthread_join(t, NULL);
    return 0;
}
