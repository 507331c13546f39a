/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* flags-plumb: --test 'take | give' */
/* note: without the call of give that of take waits forever, which is no deadlock: the state between calls does not come */
#include <plumb.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t items;
static atomic_int count;

PLUMB_OBJECT()
PLUMB_SETUP()
{
    sem_init(&items, 0, 0);
}
PLUMB_OP(give)
{
    atomic_fetch_add(&count, 1);
    sem_post(&items);
    return PLUMB_OK;
}
PLUMB_OP(take)
{
    sem_wait(&items);
    atomic_fetch_sub(&count, 1);
    return PLUMB_OK;
}
PLUMB_INVARIANT(between_calls)
{
    return atomic_load(&count) >= 0;
}
