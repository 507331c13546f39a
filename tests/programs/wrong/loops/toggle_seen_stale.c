/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* all: skipped */
/* note: rc11: who knows that the toggle has ended still sees its rounds, on, off, on; holds under sc */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, stop, ended;
static int seen[3];

static void *toggle(void *arg)
{
    do {
        atomic_store_explicit(&x, 1, memory_order_relaxed);
        atomic_store_explicit(&x, 0, memory_order_relaxed);
    } while (!atomic_load_explicit(&stop, memory_order_relaxed));
    atomic_store_explicit(&ended, 1, memory_order_relaxed);
    return arg;
}

static void *look(void *arg)
{
    atomic_store_explicit(&stop, 1, memory_order_relaxed);
    if (atomic_load_explicit(&ended, memory_order_relaxed))
        for (int i = 0; i < 3; i++)
            seen[i] = atomic_load_explicit(&x, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, toggle, NULL);
    pthread_create(&t[1], NULL, look, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(!(seen[0] && !seen[1] && seen[2]));
    return 0;
}
