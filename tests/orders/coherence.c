/* SPDX-License-Identifier: Apache-2.0 */
/* Two reads of one location never go back. */
#include "sites.h"

static atomic_int x;

static void *write(void *p)
{
    atomic_store_explicit(&x, 1, A);
    atomic_store_explicit(&x, 2, B);
    return p;
}

static void *read(void *p)
{
    int first = atomic_load_explicit(&x, C);
    int second = atomic_load_explicit(&x, D);
    assert(first <= second);
    return p;
}

int main(void)
{
    run(write, read, NULL);
    return 0;
}
