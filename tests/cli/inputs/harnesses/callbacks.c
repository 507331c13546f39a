/* SPDX-License-Identifier: Apache-2.0 */
/* A source of cancellation: cancel runs the callbacks that are registered, in a thread of its own, and waits for it (LATE: or
 * not). With FAIL a callback must not come after the next operation; with LEAVE an operation ends the program. */
#include <assert.h>
#include <plumb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int canceled, registered, called;

static void *run_callbacks(void *unused)
{
    int count = atomic_exchange(&registered, 0);
#ifdef FAIL
    assert(count < 2);
#endif
    atomic_fetch_add(&called, count);
    return unused;
}

PLUMB_OBJECT()

PLUMB_OP(reg)
{
    atomic_fetch_add(&registered, 1);
    return PLUMB_OK;
}

PLUMB_OP(cancel)
{
    pthread_t thread;
    if (atomic_exchange(&canceled, 1))
        return PLUMB_FALSE;
    pthread_create(&thread, NULL, run_callbacks, NULL);
#ifdef LATE
    pthread_detach(thread);
#else
    pthread_join(thread, NULL);
#endif
    return PLUMB_TRUE;
}

PLUMB_OP(count)
{
    return PLUMB_INT(atomic_load(&called));
}

PLUMB_OP(leave)
{
#ifdef LEAVE
    LEAVE;
#endif
    return PLUMB_OK;
}
