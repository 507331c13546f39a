/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* sc: holds */
/* tso: holds */
/* mode: all */
/* flags-plumb: --symmetry */
/* One of two threads that do the same reads 1, and causes a write that comes before 1 and that the other one reads. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, ones, twos;

static void *look(void *unused)
{
    int found = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_fetch_add_explicit(found == 1 ? &ones : &twos, found != 0, memory_order_relaxed);
    atomic_store_explicit(&y, found, memory_order_relaxed);
    return unused;
}

static void *write_one(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return unused;
}

static void *write_two(void *saw_one)
{
    *(int *)saw_one = atomic_load_explicit(&y, memory_order_relaxed) == 1;
    if (*(int *)saw_one)
        atomic_store_explicit(&x, 2, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t[4];
    int saw_one = 0;
    pthread_create(&t[0], NULL, look, NULL);
    pthread_create(&t[1], NULL, look, NULL);
    pthread_create(&t[2], NULL, write_one, NULL);
    pthread_create(&t[3], NULL, write_two, &saw_one);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    assert(!(saw_one && ones == 1 && twos == 1 && x == 1));
}
