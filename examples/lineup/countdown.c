/* SPDX-License-Identifier: Apache-2.0 */
/* A countdown event: counts down to zero, is set from then on, and lets those go who wait for it.
 *
 *     is_set             is the count zero?
 *     current_count      the count
 *     signal(n)          takes n from the count; is it zero now? "error" if the count is smaller than n
 *     add_count(n)       adds n to the count; "error" if it is zero: too late
 *     try_add_count(n)   the same; false if it is zero
 *     wait               sleeps until the count is zero
 *     wait_for(ms)       the same with a limit of time; is it zero?
 *     wait_one           as wait, without a quick look at the count first
 *
 * The count is changed with compare-and-exchange; only the last signal takes the lock, to wake the sleepers.
 * It starts at 2. No known bug: every test passes.
 */
#include "deadline.h"

#include <plumb.h>

#include <pthread.h>
#include <stdatomic.h>

static atomic_int left = 2;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t zero = PTHREAD_COND_INITIALIZER;

static int count(void)
{
    return atomic_load_explicit(&left, memory_order_acquire);
}

static void wake_all(void)
{
    pthread_mutex_lock(&lock);
    pthread_cond_broadcast(&zero);
    pthread_mutex_unlock(&lock);
}

/* The count after it, or -1. */
static int countdown_signal(int n)
{
    int old = count();
    do
        if (old < n)
            return -1;
    while (!atomic_compare_exchange_strong(&left, &old, old - n));
    if (old == n)
        wake_all();
    return old - n;
}

static bool countdown_add(int n)
{
    int old = count();
    do
        if (old == 0)
            return false;
    while (!atomic_compare_exchange_strong(&left, &old, old + n));
    return true;
}

static void countdown_sleep(void)
{
    pthread_mutex_lock(&lock);
    while (count() > 0)
        pthread_cond_wait(&zero, &lock);
    pthread_mutex_unlock(&lock);
}

static bool countdown_sleep_for(int milliseconds)
{
    struct timespec until = deadline_after(milliseconds);
    bool late = false;
    pthread_mutex_lock(&lock);
    while (count() > 0 && !late)
        late = pthread_cond_timedwait(&zero, &lock, &until) != 0;
    pthread_mutex_unlock(&lock);
    return !late;
}

/* ---- harness ---- */

PLUMB_OBJECT()

PLUMB_OP(is_set)
{
    return PLUMB_BOOL(count() == 0);
}

PLUMB_OP(wait)
{
    if (count() > 0)
        countdown_sleep();
    return PLUMB_OK;
}

PLUMB_OP(wait_for, int, milliseconds)
{
    if (milliseconds == 0)
        return PLUMB_BOOL(count() == 0);
    return PLUMB_BOOL(countdown_sleep_for(milliseconds));
}

PLUMB_OP(current_count)
{
    return PLUMB_INT(count());
}

PLUMB_OP(wait_one)
{
    countdown_sleep();
    return PLUMB_OK;
}

PLUMB_OP(signal, int, n)
{
    int after = countdown_signal(n);
    return after < 0 ? PLUMB_STRING("error") : PLUMB_BOOL(after == 0);
}

PLUMB_OP(add_count, int, n)
{
    return countdown_add(n) ? PLUMB_OK : PLUMB_STRING("error");
}

PLUMB_OP(try_add_count, int, n)
{
    return PLUMB_BOOL(countdown_add(n));
}

PLUMB_TRY(wait_for, 0)
PLUMB_TRY(signal, 1, 2)
PLUMB_TRY(add_count, 1, 2)
PLUMB_TRY(try_add_count, 1, 2)
