/* SPDX-License-Identifier: Apache-2.0 */
/* A bag: elements without order, in two lists with a lock each, so that two threads can often work at the
 * same time. The element decides which list (10 and 30 the first, 20 the second).
 *
 *     add(v)     adds an element
 *     try_take   removes an element and answers it, or none
 *     try_peek   an element, which stays, or none
 *     count, is_empty, to_array
 *
 * add holds the lock of its list. The others hold both, so that nothing changes while they look at one list
 * after the other.
 *
 * -DBUG_E (root cause E): count, is_empty and to_array hold one lock at a time. They answer something about
 * each list that was true at another moment.
 *
 *     plumb check bag.c --test 'add(10) add(20) | to_array' -- -DBUG_E
 *
 * to_array answers [20]: the first list before 10 was added, the second after 20 was.
 *
 * -DCAUSE_J (root cause J, intended): try_take holds one lock at a time. A bag may give out any of its
 * elements, so that is fine, but there is no saying which.
 *
 *     plumb check bag.c --test 'add(10) add(20) | try_take' -- -DCAUSE_J
 *
 * try_take answers 20. Without other threads it answers none, or 10 whenever 10 is in.
 *
 * (The bug E that Line-Up found is not described; this one has the same class and size.)
 */
#include <plumb.h>

#include <pthread.h>
#include <stdlib.h>

enum { LISTS = 2, SHOWN_MAX = 16 };

struct node {
    struct node *next;
    int value;
};

static struct list {
    pthread_mutex_t lock;
    struct node *first;
} lists[LISTS];

#ifdef BUG_E
enum { LOOKING_STOPS_ALL = 0 };
#else
enum { LOOKING_STOPS_ALL = 1 };
#endif
#ifdef CAUSE_J
enum { TAKING_STOPS_ALL = 0 };
#else
enum { TAKING_STOPS_ALL = 1 };
#endif

static void bag_add(int value)
{
    struct list *l = &lists[value / 10 % LISTS == 0];
    struct node *n = malloc(sizeof *n);
    n->value = value;
    pthread_mutex_lock(&l->lock);
    n->next = l->first;
    l->first = n;
    pthread_mutex_unlock(&l->lock);
}

/* What is done with a list while it is locked; true: it is enough. */
typedef bool visit(struct list *list, void *data);

/* Visits the lists until it is enough, with all locks held or one at a time. */
static bool visit_lists(bool stop_all, visit *visit, void *data)
{
    bool enough = false;
    for (int i = 0; stop_all && i < LISTS; i++)
        pthread_mutex_lock(&lists[i].lock);
    for (int i = 0; i < LISTS && !enough; i++) {
        if (!stop_all)
            pthread_mutex_lock(&lists[i].lock);
        enough = visit(&lists[i], data);
        if (!stop_all)
            pthread_mutex_unlock(&lists[i].lock);
    }
    for (int i = 0; stop_all && i < LISTS; i++)
        pthread_mutex_unlock(&lists[i].lock);
    return enough;
}

static bool take_first(struct list *l, void *data)
{
    struct node *n = l->first;
    if (!n)
        return false;
    l->first = n->next;
    *(int *)data = n->value;
    free(n);
    return true;
}

static bool peek_first(struct list *l, void *data)
{
    if (l->first)
        *(int *)data = l->first->value;
    return l->first;
}

struct shown {
    plumb_value values[SHOWN_MAX];
    size_t count;
};

static bool show_all(struct list *l, void *data)
{
    struct shown *shown = data;
    for (struct node *n = l->first; n && shown->count < SHOWN_MAX; n = n->next)
        shown->values[shown->count++] = PLUMB_INT(n->value);
    return false;
}

/* ---- harness ---- */

PLUMB_OBJECT()

PLUMB_SETUP()
{
    for (int i = 0; i < LISTS; i++)
        pthread_mutex_init(&lists[i].lock, NULL);
}

PLUMB_OP(count)
{
    struct shown shown = {.count = 0};
    visit_lists(LOOKING_STOPS_ALL, show_all, &shown);
    return PLUMB_INT(shown.count);
}

PLUMB_OP(add, int, value)
{
    bag_add(value);
    return PLUMB_OK;
}

PLUMB_OP(try_take)
{
    int value;
    return visit_lists(TAKING_STOPS_ALL, take_first, &value) ? PLUMB_INT(value) : PLUMB_NONE;
}

PLUMB_OP(is_empty)
{
    int value;
    return PLUMB_BOOL(!visit_lists(LOOKING_STOPS_ALL, peek_first, &value));
}

PLUMB_OP(try_peek)
{
    int value;
    return visit_lists(true, peek_first, &value) ? PLUMB_INT(value) : PLUMB_NONE;
}

PLUMB_OP(to_array)
{
    struct shown shown = {.count = 0};
    visit_lists(LOOKING_STOPS_ALL, show_all, &shown);
    return PLUMB_ARRAY(shown.values, shown.count);
}

PLUMB_TRY(add, 10, 20)

PLUMB_TEARDOWN()
{
    int value;
    while (visit_lists(true, take_first, &value))
        ;
}
