/* SPDX-License-Identifier: Apache-2.0 */
/* A store and a load on each side, of which one side is a fence. */
#include "sites.h"

static atomic_int x, y;
static int a;

static void *left(void *p)
{
    atomic_store_explicit(&x, 1, A);
    atomic_store_explicit(&y, 1, B);
    return p;
}

static void *right(void *p)
{
    atomic_store_explicit(&y, 2, memory_order_relaxed);
    atomic_thread_fence(C);
    a = atomic_load_explicit(&x, D);
    return p;
}

int main(void)
{
    run(left, right, NULL);
    assert(atomic_load_explicit(&y, memory_order_relaxed) != 2 || a == 1);
    return 0;
}
