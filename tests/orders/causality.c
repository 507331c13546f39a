/* SPDX-License-Identifier: Apache-2.0 */
/* What a thread has seen, those that see its mark see, too. */
#include "sites.h"

static atomic_int x, y;

static void *write(void *p)
{
    atomic_store_explicit(&x, 1, A);
    return p;
}

static void *mark(void *p)
{
    if (atomic_load_explicit(&x, B))
        atomic_store_explicit(&y, 1, C);
    return p;
}

static void *read(void *p)
{
    if (atomic_load_explicit(&y, D))
        assert(atomic_load_explicit(&x, memory_order_relaxed) == 1);
    return p;
}

int main(void)
{
    run(write, mark, read);
    return 0;
}
