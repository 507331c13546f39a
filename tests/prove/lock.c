/* SPDX-License-Identifier: Apache-2.0 */
/* A lock of one word, taken by a compare and swap. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int word;

PLUMB_OBJECT(lock)

PLUMB_OP(acquire)
{
    for (int free = 0; !atomic_compare_exchange_strong(&word, &free, 1); free = 0)
        continue;
    return PLUMB_OK;
}

PLUMB_OP(release)
{
    atomic_store(&word, 0);
    return PLUMB_OK;
}
