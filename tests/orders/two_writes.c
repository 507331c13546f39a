/* SPDX-License-Identifier: Apache-2.0 */
/* Two locations that two threads write in opposite order. */
#include "sites.h"

static atomic_int x, y;

static void *left(void *p)
{
    atomic_store_explicit(&x, 1, A);
    atomic_store_explicit(&y, 2, B);
    return p;
}

static void *right(void *p)
{
    atomic_store_explicit(&y, 1, C);
    atomic_store_explicit(&x, 2, D);
    return p;
}

int main(void)
{
    run(left, right, NULL);
    assert(atomic_load_explicit(&x, memory_order_relaxed) != 1 ||
           atomic_load_explicit(&y, memory_order_relaxed) != 1);
    return 0;
}
