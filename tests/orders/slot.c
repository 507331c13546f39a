/* SPDX-License-Identifier: Apache-2.0 */
/* A slot that one thread fills and the other empties. */
#include "sites.h"

static atomic_int full;
static int slot;

static void *put(void *p)
{
    for (int k = 1; k <= 2; k++)
        if (!atomic_load_explicit(&full, A)) {
            slot = k;
            atomic_store_explicit(&full, 1, B);
        }
    return p;
}

static void *take(void *p)
{
    for (int k = 0; k < 2; k++)
        if (atomic_load_explicit(&full, C)) {
            assert(slot > 0);
            slot = 0;
            atomic_store_explicit(&full, 0, D);
        }
    return p;
}

int main(void)
{
    run(put, take, NULL);
    return 0;
}
