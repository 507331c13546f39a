/* SPDX-License-Identifier: Apache-2.0 */
/* A semaphore: a number of permits; whoever waits takes one, and sleeps while there is none.
 *
 *     current_count   how many permits there are
 *     release(n)      adds n permits; answers how many there were
 *     wait            takes one
 *     wait_for(ms)    takes one if that is possible within so many milliseconds; did it?
 *
 * The count is changed under the lock only; current_count and wait_for(0) look at it without. It starts at 1.
 * No known bug: every test passes.
 */
#include "deadline.h"

#include <plumb.h>

#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static atomic_int permits = 1;

static int semaphore_count(void)
{
    return atomic_load_explicit(&permits, memory_order_acquire);
}

static int semaphore_release(int n)
{
    pthread_mutex_lock(&lock);
    int before = atomic_fetch_add(&permits, n);
    pthread_cond_broadcast(&more);
    pthread_mutex_unlock(&lock);
    return before;
}

static void semaphore_wait(void)
{
    pthread_mutex_lock(&lock);
    while (semaphore_count() == 0)
        pthread_cond_wait(&more, &lock);
    atomic_fetch_sub(&permits, 1);
    pthread_mutex_unlock(&lock);
}

static bool semaphore_wait_for(int milliseconds)
{
    if (milliseconds == 0 && semaphore_count() == 0)
        return false;
    struct timespec until = deadline_after(milliseconds);
    bool late = milliseconds == 0;
    pthread_mutex_lock(&lock);
    while (semaphore_count() == 0 && !late)
        late = pthread_cond_timedwait(&more, &lock, &until) != 0;
    bool taken = semaphore_count() > 0;
    if (taken)
        atomic_fetch_sub(&permits, 1);
    pthread_mutex_unlock(&lock);
    return taken;
}

/* ---- harness ---- */

PLUMB_OBJECT()

PLUMB_OP(current_count)
{
    return PLUMB_INT(semaphore_count());
}

PLUMB_OP(release, int, n)
{
    return PLUMB_INT(semaphore_release(n));
}

PLUMB_OP(wait)
{
    semaphore_wait();
    return PLUMB_OK;
}

PLUMB_OP(wait_for, int, milliseconds)
{
    return PLUMB_BOOL(semaphore_wait_for(milliseconds));
}

PLUMB_TRY(release, 1, 2)
PLUMB_TRY(wait_for, 0)
