/* SPDX-License-Identifier: Apache-2.0 */
/* Lazy initialisation: a value that is made when it is first asked for, once.
 *
 *     value              the value; makes it if nobody has
 *     to_string          the value as text, or "not created"; never makes it
 *     is_value_created   has it been made?
 *
 * A look without the lock, then another one with it (double-checked locking). The store is a release and the
 * look an acquire, so whoever sees the pointer sees what it points to. No known bug: every test passes.
 */
#include <plumb.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct thing {
    int number;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct thing *) thing;
static int times_made;

/* The number tells a second thing from the first. */
static struct thing *make_thing(void)
{
    struct thing *t = malloc(sizeof *t);
    t->number = ++times_made;
    return t;
}

static struct thing *look(void)
{
    return atomic_load_explicit(&thing, memory_order_acquire);
}

static struct thing *lazy_value(void)
{
    struct thing *t = look();
    if (t)
        return t;
    pthread_mutex_lock(&lock);
    t = look();
    if (!t) {
        t = make_thing();
        atomic_store_explicit(&thing, t, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
    return t;
}

/* ---- harness ---- */

PLUMB_OBJECT()

PLUMB_OP(value)
{
    return PLUMB_INT(lazy_value()->number);
}

PLUMB_OP(to_string)
{
    const struct thing *t = look();
    char text[16];
    if (!t)
        return PLUMB_STRING("not created");
    snprintf(text, sizeof text, "thing %d", t->number);
    return PLUMB_STRING(text);
}

PLUMB_OP(is_value_created)
{
    return PLUMB_BOOL(look() != NULL);
}

PLUMB_TEARDOWN()
{
    free(look());
}
