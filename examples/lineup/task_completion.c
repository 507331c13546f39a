/* SPDX-License-Identifier: Apache-2.0 */
/* A task completion source: a task that gets its outcome from somebody, once. The outcome is a result, an
 * exception (here a number) or that the task was cancelled.
 *
 *     try_set_result(v), try_set_exception(e), try_set_canceled
 *                 sets the outcome, unless there is one; did it?
 *     set_result(v), set_exception(e), set_canceled
 *                 the same; "error" if there is one already
 *     wait        waits for the outcome and answers its kind
 *     try_result  the result, or none
 *     exception   the exception, or none
 *
 * Who finds the task open reserves it, writes the value and then publishes the outcome. Who finds it reserved
 * waits until the outcome is there: after `false` everybody sees that the task is complete.
 *
 * -DBUG_F (root cause F): the value is written before the task is reserved, by everybody who finds it open.
 * The one who is too late all the same replaces the value of the first.
 *
 *     plumb check task_completion.c --test 'try_set_exception(1) exception | try_set_exception(2)' -- -DBUG_F
 *
 * One of the calls answers true, and still the exception is that of the other.
 *
 * -DBUG_G (root cause G): who finds the task reserved does not wait.
 *
 *     plumb check task_completion.c --test 'try_set_result(10) | try_set_result(20) try_result' -- -DBUG_G
 *
 * try_set_result(20) answers false, for there is an outcome; then try_result answers none, for there is not.
 *
 * (The bugs that Line-Up found are not described; these have the same class and size.)
 */
#include <plumb.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum state { OPEN, RESERVED, RESULT, EXCEPTION, CANCELED };

static atomic_int state;
static atomic_int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t completed = PTHREAD_COND_INITIALIZER;

static enum state look(void)
{
    return (enum state)atomic_load_explicit(&state, memory_order_acquire);
}

static void write_value(int v)
{
    atomic_store_explicit(&value, v, memory_order_relaxed);
}

/* The lock makes sure that a waiting thread has not looked and not slept yet, or sleeps. */
static void publish(enum state outcome)
{
    pthread_mutex_lock(&lock);
    atomic_store_explicit(&state, outcome, memory_order_release);
    pthread_cond_broadcast(&completed);
    pthread_mutex_unlock(&lock);
}

static bool task_complete(enum state outcome, int v)
{
    int open = OPEN;
#ifdef BUG_F
    if (look() >= RESULT)
        return false;
    write_value(v);
#endif
    if (!atomic_compare_exchange_strong(&state, &open, RESERVED)) {
#ifndef BUG_G
        while (look() == RESERVED)
            sched_yield();
#endif
        return false;
    }
#ifndef BUG_F
    write_value(v);
#endif
    publish(outcome);
    return true;
}

static enum state task_wait(void)
{
    pthread_mutex_lock(&lock);
    while (look() < RESULT)
        pthread_cond_wait(&completed, &lock);
    pthread_mutex_unlock(&lock);
    return look();
}

/* ---- harness ---- */

PLUMB_OBJECT()

static plumb_value value_if(enum state outcome)
{
    return look() == outcome ? PLUMB_INT(atomic_load_explicit(&value, memory_order_relaxed)) : PLUMB_NONE;
}

static plumb_value error_unless(bool set)
{
    return set ? PLUMB_OK : PLUMB_STRING("error");
}

PLUMB_OP(exception)
{
    return value_if(EXCEPTION);
}

PLUMB_OP(try_set_canceled)
{
    return PLUMB_BOOL(task_complete(CANCELED, 0));
}

PLUMB_OP(try_set_exception, int, e)
{
    return PLUMB_BOOL(task_complete(EXCEPTION, e));
}

PLUMB_OP(try_set_result, int, v)
{
    return PLUMB_BOOL(task_complete(RESULT, v));
}

PLUMB_OP(set_canceled)
{
    return error_unless(task_complete(CANCELED, 0));
}

PLUMB_OP(set_exception, int, e)
{
    return error_unless(task_complete(EXCEPTION, e));
}

PLUMB_OP(set_result, int, v)
{
    return error_unless(task_complete(RESULT, v));
}

PLUMB_OP(wait)
{
    static const char *const kinds[] = {
        [RESULT] = "result", [EXCEPTION] = "exception", [CANCELED] = "canceled"};
    return PLUMB_STRING(kinds[task_wait()]);
}

PLUMB_OP(try_result)
{
    return value_if(RESULT);
}

PLUMB_TRY(try_set_exception, 1, 2)
PLUMB_TRY(try_set_result, 10, 20)
PLUMB_TRY(set_exception, 3)
PLUMB_TRY(set_result, 30)
