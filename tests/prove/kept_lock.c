/* SPDX-License-Identifier: Apache-2.0 */
/* A spin lock: a thread may wait as long as another one has it, and no longer. KEPT: every second release leaves it locked. */
#include <plumb.h>
#include <stdatomic.h>

static atomic_int word;
static int releases;

PLUMB_OBJECT(lock)

PLUMB_OP(acquire)
{
    while (atomic_exchange(&word, 1))
        continue;
    return PLUMB_OK;
}

PLUMB_OP(release)
{
    releases = 1 - releases;
#ifdef KEPT
    if (releases)
        return PLUMB_OK;
#endif
    atomic_store(&word, 0);
    return PLUMB_OK;
}
