/* SPDX-License-Identifier: Apache-2.0 */
/* A manual-reset event: threads wait until it is set; it stays set until it is reset.
 *
 *     set        lets all waiting threads go, and those that come
 *     reset      those that come have to wait again
 *     is_set     is it set?
 *     wait       a quick look first, then sleeps until the event is set
 *     wait_one   the same without the quick look
 *
 * One word holds whether the event is set and how many threads sleep, so that `set` can leave the lock alone
 * when nobody does. A thread that goes to sleep adds itself with a compare-and-exchange.
 *
 * -DBUG_A (root cause A): add_sleeper() reads the word a second time when it computes the new value. If the
 * event is set between the two reads and reset before the exchange, then the exchange succeeds although the
 * new value was made from another old one: the event becomes set, and the sleeper is in no count. The next
 * `set` wakes nobody.
 *
 *     plumb check event.c --test 'wait | set reset set' -- -DBUG_A
 *
 * The wait never returns; in every serial order it does, for the event is set at the end.
 */
#include <plumb.h>

#include <pthread.h>
#include <stdatomic.h>

enum { SET = 1, SLEEPER = 2 };

static atomic_uint word; /* SET or not, plus SLEEPER for each thread that sleeps */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static unsigned look(void)
{
    return atomic_load_explicit(&word, memory_order_acquire);
}

/* Nobody sleeps while the event is set. */
static unsigned with_sleeper(unsigned w)
{
    return w & SET ? w : w + SLEEPER;
}

/* False: the event is set. */
static bool add_sleeper(void)
{
    for (;;) {
        unsigned old = look();
        if (old & SET)
            return false;
#ifdef BUG_A
        unsigned new = with_sleeper(look());
#else
        unsigned new = with_sleeper(old);
#endif
        if (atomic_compare_exchange_strong(&word, &old, new))
            return true;
    }
}

/* The lock is held from the count on until the thread sleeps, so `set` cannot wake it too early. */
static void event_sleep(void)
{
    pthread_mutex_lock(&lock);
    while (add_sleeper()) {
        pthread_cond_wait(&changed, &lock);
        atomic_fetch_sub(&word, SLEEPER);
    }
    pthread_mutex_unlock(&lock);
}

static void event_set(void)
{
    unsigned old = atomic_fetch_or(&word, SET);
    if (old < SLEEPER)
        return;
    pthread_mutex_lock(&lock);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void event_reset(void)
{
    atomic_fetch_and(&word, ~(unsigned)SET);
}

/* ---- harness ---- */

PLUMB_OBJECT()

PLUMB_OP(set)
{
    event_set();
    return PLUMB_OK;
}

PLUMB_OP(wait)
{
    if (!(look() & SET))
        event_sleep();
    return PLUMB_OK;
}

PLUMB_OP(reset)
{
    event_reset();
    return PLUMB_OK;
}

PLUMB_OP(is_set)
{
    return PLUMB_BOOL(look() & SET);
}

PLUMB_OP(wait_one)
{
    event_sleep();
    return PLUMB_OK;
}
