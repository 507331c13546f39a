/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* command: auto */
/* flags-plumb: --size 2x2 */
/* note: the mutex is not recursive, and its owner must neither lock it nor try it again */
#include <assert.h>
#include <plumb.h>
#include <stdatomic.h>

static atomic_bool locked;
static bool may_hold[4]; /* by thread */

static void begin(void)
{
    assert(!may_hold[plumb_thread()]);
    may_hold[plumb_thread()] = true;
}

PLUMB_OBJECT(lock)
PLUMB_OP(acquire)
{
    begin();
    while (atomic_exchange(&locked, true))
        ;
    return PLUMB_OK;
}
PLUMB_OP(try_acquire)
{
    begin();
    return PLUMB_BOOL(!atomic_exchange(&locked, true));
}
PLUMB_OP(release)
{
    may_hold[plumb_thread()] = false;
    atomic_store(&locked, false);
    return PLUMB_OK;
}
