/* SPDX-License-Identifier: Apache-2.0 */
/* Store buffering: one of two threads sees the other. */
#include "sites.h"

static atomic_int x, y;
static int a, b;

static void *left(void *p)
{
    atomic_store_explicit(&x, 1, A);
    a = atomic_load_explicit(&y, B);
    return p;
}

static void *right(void *p)
{
    atomic_store_explicit(&y, 1, C);
    b = atomic_load_explicit(&x, D);
    return p;
}

int main(void)
{
    run(left, right, NULL);
    assert(a || b);
    return 0;
}
