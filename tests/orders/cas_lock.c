/* SPDX-License-Identifier: Apache-2.0 */
/* A lock by comparison that is tried once; who fails looks at nothing. */
#include "sites.h"

static atomic_int lock;
static int count;

static void *work(void *p)
{
    int free_one = 0;
    if (atomic_compare_exchange_strong_explicit(&lock, &free_one, 1, A, B)) {
        count++;
        atomic_store_explicit(&lock, 0, C);
    }
    return p;
}

int main(void)
{
    run(work, work, NULL);
    return 0;
}
