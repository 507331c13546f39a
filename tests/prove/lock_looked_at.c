/* SPDX-License-Identifier: Apache-2.0 */
/* A lock of one word, looked at and then taken. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int word;

PLUMB_OBJECT(lock)

PLUMB_OP(acquire)
{
    while (atomic_load(&word))
        continue;
    atomic_store(&word, 1);
    return PLUMB_OK;
}

PLUMB_OP(release)
{
    atomic_store(&word, 0);
    return PLUMB_OK;
}
