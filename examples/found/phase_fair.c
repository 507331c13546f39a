/* SPDX-License-Identifier: Apache-2.0 */
/* ARM-software/progress64, p64_pfrwlock: a lock for readers and writers who take turns. */
#include <plumb.h>

#include <p64_pfrwlock.h>

static p64_pfrwlock_t lock;

PLUMB_OBJECT(rwlock)
PLUMB_SETUP()
{
    p64_pfrwlock_init(&lock);
}
PLUMB_OP(read_lock)
{
    p64_pfrwlock_acquire_rd(&lock);
    return PLUMB_OK;
}
PLUMB_OP(read_unlock)
{
    p64_pfrwlock_release_rd(&lock);
    return PLUMB_OK;
}
PLUMB_OP(write_lock)
{
    p64_pfrwlock_acquire_wr(&lock);
    return PLUMB_OK;
}
PLUMB_OP(write_unlock)
{
    p64_pfrwlock_release_wr(&lock);
    return PLUMB_OK;
}
