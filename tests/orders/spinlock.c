/* SPDX-License-Identifier: Apache-2.0 */
/* A lock by exchange that is tried once. */
#include "sites.h"

static atomic_int lock;
static int count;

static void *work(void *p)
{
    if (atomic_exchange_explicit(&lock, 1, A) == 0) {
        count++;
        atomic_store_explicit(&lock, 0, B);
    }
    return p;
}

int main(void)
{
    run(work, work, NULL);
    assert(count == 1 || count == 2);
    return 0;
}
