/* SPDX-License-Identifier: Apache-2.0 */
/* A counter that answers wrongly, beside a semaphore without permits, in which every thread is waiting soon. */
#include <plumb.h>

#include <semaphore.h>
#include <stdatomic.h>

static atomic_int count;
static sem_t permits;

PLUMB_OBJECT_NAMED(number, counter)
PLUMB_OBJECT_NAMED(permits, semaphore(0))

PLUMB_SETUP()
{
    sem_init(&permits, 0, 0);
}

PLUMB_OP_ON(number, add, int, n)
{
    atomic_fetch_add(&count, n);
    return PLUMB_OK;
}

PLUMB_OP_ON(number, get)
{
#ifdef FIXED
    return PLUMB_INT(atomic_load(&count));
#else
    return PLUMB_INT(atomic_load(&count) + 1);
#endif
}

PLUMB_OP_ON(permits, acquire)
{
    while (sem_wait(&permits))
        continue;
    return PLUMB_OK;
}
