/* SPDX-License-Identifier: Apache-2.0 */
/* A semaphore without permits: acquire waits forever, and may. -DUNNAMED: no specification says so. */
#include <plumb.h>

#include <semaphore.h>

static sem_t permits;

#ifdef UNNAMED
PLUMB_OBJECT()
#else
PLUMB_OBJECT(semaphore(0))
#endif

PLUMB_SETUP()
{
    sem_init(&permits, 0, 0);
}

PLUMB_OP(acquire)
{
    sem_wait(&permits);
    return PLUMB_OK;
}

PLUMB_OP(try_acquire)
{
    return PLUMB_BOOL(sem_trywait(&permits) == 0);
}

PLUMB_OP(release)
{
    sem_post(&permits);
    return PLUMB_OK;
}
