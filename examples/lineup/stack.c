/* SPDX-License-Identifier: Apache-2.0 */
/* A lock-free stack (Treiber), with operations on several elements at once.
 *
 *     push(v)            adds on top
 *     push_range_ten     adds 101, 102, ... 110 in one step; 110 is on top then
 *     try_pop            removes the top and answers it, or none
 *     try_pop_range(n)   removes up to n elements in one step and answers them, the top first
 *     try_peek           the top, or none
 *     clear              removes all
 *     count              how many elements there are
 *     to_array_ordered   all elements, sorted
 *
 * Everything is one compare-and-exchange, or one read, of `top`; the nodes below never change. They are not
 * freed, so a node cannot come back while somebody still compares with it. No known bug: every test passes.
 */
#include <plumb.h>

#include <stdatomic.h>
#include <stdlib.h>

enum { TEN = 10, SHOWN_MAX = 32 };

struct node {
    struct node *below;
    int value;
};

static _Atomic(struct node *) top;

static struct node *look(void)
{
    return atomic_load_explicit(&top, memory_order_acquire);
}

static struct node *make_node(int value, struct node *below)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->below = below;
    return n;
}

/* Puts a chain of nodes on top, whose lowest is given. */
static void push_chain(struct node *highest, struct node *lowest)
{
    struct node *old = look();
    do
        lowest->below = old;
    while (!atomic_compare_exchange_strong(&top, &old, highest));
}

/* Removes up to n nodes; returns the highest, or NULL. */
static struct node *pop_chain(int n)
{
    struct node *old = look(), *rest;
    do {
        rest = old;
        for (int i = 0; i < n && rest; i++)
            rest = rest->below;
    } while (old && !atomic_compare_exchange_strong(&top, &old, rest));
    return old;
}

/* Up to max values of a chain, from the highest on. */
static size_t values_of(const struct node *n, size_t max, int *values)
{
    size_t count = 0;
    for (; n && count < max; n = n->below)
        values[count++] = n->value;
    return count;
}

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* ---- harness ---- */

PLUMB_OBJECT()

static plumb_value array_of(const int *values, size_t count)
{
    plumb_value shown[SHOWN_MAX];
    for (size_t i = 0; i < count; i++)
        shown[i] = PLUMB_INT(values[i]);
    return PLUMB_ARRAY(shown, count);
}

PLUMB_OP(clear)
{
    atomic_store(&top, NULL);
    return PLUMB_OK;
}

PLUMB_OP(count)
{
    int count = 0;
    for (const struct node *n = look(); n; n = n->below)
        count++;
    return PLUMB_INT(count);
}

PLUMB_OP(push, int, value)
{
    struct node *n = make_node(value, NULL);
    push_chain(n, n);
    return PLUMB_OK;
}

PLUMB_OP(push_range_ten)
{
    struct node *lowest = make_node(101, NULL), *highest = lowest;
    for (int i = 2; i <= TEN; i++)
        highest = make_node(100 + i, highest);
    push_chain(highest, lowest);
    return PLUMB_OK;
}

PLUMB_OP(try_pop)
{
    const struct node *n = pop_chain(1);
    return n ? PLUMB_INT(n->value) : PLUMB_NONE;
}

PLUMB_OP(try_pop_range, unsigned, n)
{
    int values[SHOWN_MAX];
    if (n > SHOWN_MAX)
        return PLUMB_STRING("error");
    size_t count = values_of(pop_chain((int)n), n, values);
    return array_of(values, count);
}

PLUMB_OP(try_peek)
{
    const struct node *n = look();
    return n ? PLUMB_INT(n->value) : PLUMB_NONE;
}

PLUMB_OP(to_array_ordered)
{
    int values[SHOWN_MAX];
    size_t count = values_of(look(), SHOWN_MAX, values);
    qsort(values, count, sizeof *values, compare);
    return array_of(values, count);
}

PLUMB_TRY(push, 10, 20)
PLUMB_TRY(try_pop_range, 1, 2, 4)
