/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* sc: holds */
/* tso: holds */
/* note: rc11: a round that restores what it wrote plainly races with a thread that knows of the end of the loop; no race under sc */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, ended;
static int p, seen;

static void *restore(void *arg)
{
    while (!atomic_load_explicit(&flag, memory_order_relaxed)) {
        p = 1;
        p = 0;
    }
    atomic_store_explicit(&ended, 1, memory_order_relaxed);
    return arg;
}

static void *look(void *arg)
{
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    if (atomic_load_explicit(&ended, memory_order_relaxed))
        seen = p;
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, restore, NULL);
    pthread_create(&t[1], NULL, look, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
