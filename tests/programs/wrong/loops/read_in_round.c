/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* sc: holds */
/* tso: holds */
/* note: rc11: what a round reads plainly is written by a thread that knows of the end of the loop, and is not ordered after it */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, ended;
static int p;

static void *wait_for(void *arg)
{
    while (!atomic_load_explicit(&flag, memory_order_relaxed)) {
        volatile int seen = p;
        (void)seen;
    }
    atomic_store_explicit(&ended, 1, memory_order_relaxed);
    return arg;
}

static void *set(void *arg)
{
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    if (atomic_load_explicit(&ended, memory_order_relaxed))
        p = 1;
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, wait_for, NULL);
    pthread_create(&t[1], NULL, set, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
