/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* sc: holds */
/* tso: holds */
/* mode: dfs */
/* The only execution in which anybody looks at another's stack is the one with the race, and the write comes first. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(int *) where;
static atomic_int done; /* the variable lives until then */

static void *show(void *unused)
{
    int value = 1, seen = 0;
    atomic_store_explicit(&where, &value, memory_order_relaxed);
    while (seen < value)
        seen++;
    while (!atomic_load_explicit(&done, memory_order_acquire))
        continue;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, show, NULL);
    int *p = atomic_load_explicit(&where, memory_order_relaxed), found = p ? *p : 0;
    atomic_store_explicit(&done, 1, memory_order_release);
    pthread_join(t, NULL);
    return found < 0;
}
