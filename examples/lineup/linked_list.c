/* SPDX-License-Identifier: Apache-2.0 */
/* A linked list with two ends.
 *
 *     add_first(v), add_last(v)             add at that end
 *     remove_first, remove_last             remove at that end; was there an element?
 *     remove_first_out, remove_last_out     the same, and answer the element, or none
 *     count                                 how many elements there are
 *
 * The links change under a lock. The count is read without it, and so changes under it, too.
 *
 * -DBUG_C (root cause C): the count changes after the lock was given up. Another thread may find the element,
 * take it out and count it off before it was counted.
 *
 *     plumb check linked_list.c --test 'add_first(10) | remove_first_out count' -- -DBUG_C
 *
 * The element is removed, and the count is -1 after that. (The bug that Line-Up found is not described; this
 * one has the same class and size.)
 */
#include <plumb.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum side { FIRST, LAST };

struct node {
    struct node *neighbour[2]; /* towards the first, towards the last */
    int value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *end[2];
static atomic_int length;

static void unlock_and_count(int difference)
{
#ifdef BUG_C
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&length, difference);
#else
    atomic_fetch_add(&length, difference);
    pthread_mutex_unlock(&lock);
#endif
}

static void list_add(enum side side, int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->neighbour[side] = NULL;
    pthread_mutex_lock(&lock);
    struct node *old = end[side];
    n->neighbour[!side] = old;
    if (old)
        old->neighbour[side] = n;
    else
        end[!side] = n;
    end[side] = n;
    unlock_and_count(1);
}

static bool list_remove(enum side side, int *value)
{
    pthread_mutex_lock(&lock);
    struct node *old = end[side];
    if (!old) {
        pthread_mutex_unlock(&lock);
        return false;
    }
    struct node *next = old->neighbour[!side];
    end[side] = next;
    if (next)
        next->neighbour[side] = NULL;
    else
        end[!side] = NULL;
    unlock_and_count(-1);
    *value = old->value;
    free(old);
    return true;
}

/* ---- harness ---- */

PLUMB_OBJECT()

static plumb_value removed(enum side side)
{
    int value;
    return list_remove(side, &value) ? PLUMB_INT(value) : PLUMB_NONE;
}

PLUMB_OP(count)
{
    return PLUMB_INT(atomic_load(&length));
}

PLUMB_OP(add_first, int, value)
{
    list_add(FIRST, value);
    return PLUMB_OK;
}

PLUMB_OP(add_last, int, value)
{
    list_add(LAST, value);
    return PLUMB_OK;
}

PLUMB_OP(remove_first)
{
    return PLUMB_BOOL(removed(FIRST) != PLUMB_NONE);
}

PLUMB_OP(remove_first_out)
{
    return removed(FIRST);
}

PLUMB_OP(remove_last)
{
    return PLUMB_BOOL(removed(LAST) != PLUMB_NONE);
}

PLUMB_OP(remove_last_out)
{
    return removed(LAST);
}

PLUMB_TRY(add_first, 10, 20)
PLUMB_TRY(add_last, 30)

PLUMB_TEARDOWN()
{
    int value;
    while (list_remove(FIRST, &value))
        ;
}
