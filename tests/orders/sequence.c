/* SPDX-License-Identifier: Apache-2.0 */
/* A writer with a version number, and a reader that looks once. */
#include "sites.h"

static atomic_int version, low, high;

static void *write(void *p)
{
    atomic_store_explicit(&version, 1, memory_order_relaxed);
    atomic_thread_fence(A);
    atomic_store_explicit(&low, 1, memory_order_relaxed);
    atomic_store_explicit(&high, 1, memory_order_relaxed);
    atomic_store_explicit(&version, 2, B);
    return p;
}

static void *read(void *p)
{
    int before = atomic_load_explicit(&version, C);
    int a = atomic_load_explicit(&low, memory_order_relaxed);
    int b = atomic_load_explicit(&high, memory_order_relaxed);
    atomic_thread_fence(D);
    int after = atomic_load_explicit(&version, memory_order_relaxed);
    if (before == after && before % 2 == 0)
        assert(a == b);
    return p;
}

int main(void)
{
    run(write, read, NULL);
    return 0;
}
