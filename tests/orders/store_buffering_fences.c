/* SPDX-License-Identifier: Apache-2.0 */
/* Store buffering with fences. */
#include "sites.h"

static atomic_int x, y;
static int a, b;

static void *left(void *p)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(A);
    a = atomic_load_explicit(&y, memory_order_relaxed);
    return p;
}

static void *right(void *p)
{
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_thread_fence(B);
    b = atomic_load_explicit(&x, memory_order_relaxed);
    return p;
}

int main(void)
{
    run(left, right, NULL);
    assert(a || b);
    return 0;
}
