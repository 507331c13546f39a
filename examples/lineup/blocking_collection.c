/* SPDX-License-Identifier: Apache-2.0 */
/* A blocking collection: a queue with room for two elements, whose users wait for room or for elements, until
 * nobody is to add any more.
 *
 *     add(v)                adds v, waits for room; "completed" when nobody may add any more
 *     try_add(v)            the same without waiting; did it?
 *     try_add_for(v, ms)    the same, waits so many milliseconds at most
 *     take                  removes the oldest element, waits for one; "completed" when none will come
 *     take_with_enum        the same, as a step of a loop over all elements that come: none at its end
 *     try_take              removes the oldest element without waiting, or none
 *     try_take_for(ms)      the same, waits so many milliseconds at most
 *     complete_adding       nobody may add any more
 *     is_adding_completed   has that been said?
 *     is_completed          and are all elements gone?
 *     count, to_array       the elements, the oldest first
 *     cancel                ends all takes: "cancelled" from now on (of Line-Up's section 5.3)
 *
 * The right version is a monitor: one lock, two conditions. The others differ in a few lines:
 *
 * -DBUG_D (root cause D): is_completed reads two variables without the lock, the number of elements first. An
 * element may come in between, and then the end of adding.
 *
 *     plumb check blocking_collection.c --test 'add(10) complete_adding | is_completed' -- -DBUG_D
 *
 * is_completed answers true although 10 is never taken.
 *
 * -DCAUSE_H, -DCAUSE_I (root causes H, I, intended): an element is in the queue first and counted as
 * available after that, as if by a semaphore. With H count answers what is available, with I try_take goes by
 * it. Both fail to notice an element that to_array has shown: an answer that depends on more than the
 * elements.
 *
 *     plumb check blocking_collection.c --test 'add(10) | to_array count' -- -DCAUSE_H
 *     plumb check blocking_collection.c --test 'add(10) | to_array try_take' -- -DCAUSE_I
 *
 * -DCAUSE_K (root cause K, intended): a take looks whether it is cancelled when it begins, before it has the
 * lock, and when it would have to sleep. If there is an element after that, it is taken, cancelled or not:
 * the effect of `cancel` may come after it has returned.
 *
 *     plumb check blocking_collection.c --test 'take | cancel add(10)' -- -DCAUSE_K
 *
 * The take answers an element that was added after the cancellation.
 *
 * (The bug D that Line-Up found is not described; this one has the same class and size.)
 */
#include "deadline.h"

#include <plumb.h>

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

enum { ROOM = 2, NO_LIMIT = -1 };
enum outcome { DONE, TOO_LATE, COMPLETED, CANCELLED };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t less = PTHREAD_COND_INITIALIZER, more = PTHREAD_COND_INITIALIZER;
static int elements[ROOM];
static atomic_int length; /* changes under the lock, as the next two */
static atomic_bool adding_completed, cancelled;

#if defined CAUSE_H || defined CAUSE_I
static atomic_int available;

static void make_available(int difference)
{
    atomic_fetch_add(&available, difference);
}
#else
static void make_available(int difference)
{
    (void)difference;
}
#endif

/* Sleeps, at most until a time if there is a limit, and not at all if the limit is zero. False: too late. */
static bool sleep_on(pthread_cond_t *condition, int milliseconds, const struct timespec *until)
{
    if (milliseconds == NO_LIMIT)
        return pthread_cond_wait(condition, &lock) == 0;
    return milliseconds > 0 && pthread_cond_timedwait(condition, &lock, until) != ETIMEDOUT;
}

/* ---- adding ---- */

static enum outcome wait_for_room(int milliseconds)
{
    struct timespec until = deadline_after(milliseconds);
    while (!adding_completed && length == ROOM)
        if (!sleep_on(&less, milliseconds, &until))
            return TOO_LATE;
    return adding_completed ? COMPLETED : DONE;
}

static enum outcome collection_add(int value, int milliseconds)
{
    pthread_mutex_lock(&lock);
    enum outcome outcome = wait_for_room(milliseconds);
    if (outcome == DONE) {
        elements[length] = value;
        length++;
        pthread_cond_signal(&more);
    }
    pthread_mutex_unlock(&lock);
    if (outcome == DONE)
        make_available(1);
    return outcome;
}

static void collection_complete_adding(void)
{
    pthread_mutex_lock(&lock);
    adding_completed = true;
    pthread_cond_broadcast(&less);
    pthread_cond_broadcast(&more);
    pthread_mutex_unlock(&lock);
}

/* ---- taking ---- */

static enum outcome wait_for_element(int milliseconds)
{
    struct timespec until = deadline_after(milliseconds);
    while (!cancelled && length == 0 && !adding_completed)
        if (!sleep_on(&more, milliseconds, &until))
            return TOO_LATE;
#ifndef CAUSE_K
    if (cancelled)
        return CANCELLED;
#endif
    if (length > 0)
        return DONE;
    return cancelled ? CANCELLED : COMPLETED;
}

static int remove_oldest(void)
{
    int value = elements[0];
    length--;
    for (int i = 0; i < length; i++)
        elements[i] = elements[i + 1];
    return value;
}

static enum outcome collection_take(int milliseconds, int *value)
{
#ifdef CAUSE_K
    if (cancelled)
        return CANCELLED;
#endif
#ifdef CAUSE_I
    if (milliseconds == 0 && available <= 0)
        return TOO_LATE;
#endif
    pthread_mutex_lock(&lock);
    enum outcome outcome = wait_for_element(milliseconds);
    if (outcome == DONE) {
        *value = remove_oldest();
        make_available(-1);
        pthread_cond_signal(&less);
    }
    pthread_mutex_unlock(&lock);
    return outcome;
}

static void collection_cancel(void)
{
    pthread_mutex_lock(&lock);
    cancelled = true;
    pthread_cond_broadcast(&more);
    pthread_mutex_unlock(&lock);
}

/* ---- looking ---- */

static bool collection_is_completed(void)
{
#ifdef BUG_D
    return length == 0 && adding_completed;
#else
    return adding_completed && length == 0; /* in this order: after the first nobody adds */
#endif
}

static int collection_count(void)
{
#ifdef CAUSE_H
    int count = available;
    return count < 0 ? 0 : count;
#else
    return length;
#endif
}

/* ---- harness ---- */

PLUMB_OBJECT()

static plumb_value taken(int milliseconds, plumb_value at_end)
{
    int value = 0;
    switch (collection_take(milliseconds, &value)) {
    case DONE: return PLUMB_INT(value);
    case TOO_LATE: return PLUMB_NONE;
    case COMPLETED: return at_end;
    default: return PLUMB_STRING("cancelled");
    }
}

PLUMB_OP(count)
{
    return PLUMB_INT(collection_count());
}

PLUMB_OP(to_array)
{
    plumb_value shown[ROOM];
    pthread_mutex_lock(&lock);
    int count = length;
    for (int i = 0; i < count; i++)
        shown[i] = PLUMB_INT(elements[i]);
    pthread_mutex_unlock(&lock);
    return PLUMB_ARRAY(shown, (size_t)count);
}

PLUMB_OP(try_add, int, value)
{
    return PLUMB_BOOL(collection_add(value, 0) == DONE);
}

PLUMB_OP(try_add_for, int, value, int, milliseconds)
{
    return PLUMB_BOOL(collection_add(value, milliseconds) == DONE);
}

PLUMB_OP(is_completed)
{
    return PLUMB_BOOL(collection_is_completed());
}

PLUMB_OP(is_adding_completed)
{
    return PLUMB_BOOL(adding_completed);
}

PLUMB_OP(complete_adding)
{
    collection_complete_adding();
    return PLUMB_OK;
}

PLUMB_OP(add, int, value)
{
    return collection_add(value, NO_LIMIT) == DONE ? PLUMB_OK : PLUMB_STRING("completed");
}

PLUMB_OP(take)
{
    return taken(NO_LIMIT, PLUMB_STRING("completed"));
}

PLUMB_OP(take_with_enum)
{
    return taken(NO_LIMIT, PLUMB_NONE);
}

PLUMB_OP(try_take)
{
    return taken(0, PLUMB_NONE);
}

PLUMB_OP(try_take_for, int, milliseconds)
{
    return taken(milliseconds, PLUMB_NONE);
}

PLUMB_OP(cancel)
{
    collection_cancel();
    return PLUMB_OK;
}

PLUMB_TRY(add, 10, 20)
PLUMB_TRY(try_add, 30)
PLUMB_TRY(try_add_for, 40, 1)
PLUMB_TRY(try_take_for, 1)
