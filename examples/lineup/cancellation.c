/* SPDX-License-Identifier: Apache-2.0 */
/* A cancellation source: callbacks are registered, and run when somebody cancels; one that comes later runs
 * at once.
 *
 *     increment   registers a callback that adds 1 to a number; has it run already?
 *     cancel      runs all registered callbacks; was this the first cancellation?
 *
 * The state only grows, and all that matters to a newcomer is whether it has reached NOTIFYING. No known bug:
 * every test passes.
 */
#include <plumb.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { NOT_CANCELED, NOTIFYING, NOTIFIED };

struct callback {
    struct callback *next;
    void (*run)(void);
};

static atomic_int state;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct callback *registered;

static bool is_canceled(void)
{
    return atomic_load_explicit(&state, memory_order_acquire) >= NOTIFYING;
}

/* Under the lock: either the one who cancels finds the callback in the list, or we find the source cancelled.
 * */
static bool enlist(struct callback *c)
{
    pthread_mutex_lock(&lock);
    bool late = is_canceled();
    if (!late) {
        c->next = registered;
        registered = c;
    }
    pthread_mutex_unlock(&lock);
    return !late;
}

/* True: the callback had to run at once. */
static bool source_register(void (*run)(void))
{
    if (!is_canceled()) {
        struct callback *c = malloc(sizeof *c);
        c->run = run;
        if (enlist(c))
            return false;
        free(c);
    }
    run();
    return true;
}

static struct callback *take_registered(void)
{
    pthread_mutex_lock(&lock);
    struct callback *all = registered;
    registered = NULL;
    pthread_mutex_unlock(&lock);
    return all;
}

static bool source_cancel(void)
{
    int expected = NOT_CANCELED;
    if (!atomic_compare_exchange_strong(&state, &expected, NOTIFYING))
        return false;
    for (struct callback *c = take_registered(), *next; c; c = next) {
        next = c->next;
        c->run();
        free(c);
    }
    atomic_store_explicit(&state, NOTIFIED, memory_order_release);
    return true;
}

/* ---- harness ---- */

static atomic_int number;

static void add_one(void)
{
    atomic_fetch_add_explicit(&number, 1, memory_order_relaxed);
}

PLUMB_OBJECT()

PLUMB_OP(increment)
{
    return PLUMB_BOOL(source_register(add_one));
}

PLUMB_OP(cancel)
{
    return PLUMB_BOOL(source_cancel());
}

/* When all is done no callback is left over after a cancellation, and none has run without. */
PLUMB_INVARIANT()
{
    return is_canceled() ? !registered : number == 0;
}

PLUMB_TEARDOWN()
{
    source_cancel();
}
