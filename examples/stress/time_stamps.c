/* SPDX-License-Identifier: Apache-2.0 */
/* The time-stamped stack of Dodds, Haas and Kirsch (POPL 2015): each thread pushes to a list of its own, and gives the element a stamp
 * when it is there; pop takes the one with the latest stamp of all lists, or at once one that was pushed since it began. If another
 * thread was faster it has to look again. Here it takes the next one of the same list instead, which may be older than those of
 * other lists: elements come out in the wrong order, none is lost. */
#include <plumb.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

enum { THREADS = 65 };
#define UNSTAMPED UINT64_MAX

struct node {
    struct node *next;
    long value;
    _Atomic uint64_t stamp;
    atomic_bool taken;
    struct node *older; /* of all nodes of the thread, for the teardown */
};

static struct pool {
    _Alignas(64) _Atomic(struct node *) top;
    struct node *nodes;
} pools[THREADS];

static _Atomic unsigned pool_count;
static _Atomic uint64_t clock_value;

static void add(struct pool *pool, long value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    atomic_init(&n->stamp, UNSTAMPED);
    atomic_init(&n->taken, false);
    n->older = pool->nodes;
    pool->nodes = n;
    n->next = pool->top;
    while (!atomic_compare_exchange_weak(&pool->top, &n->next, n))
        continue;
    n->stamp = atomic_fetch_add(&clock_value, 1);
}

struct candidate {
    struct pool *pool;
    struct node *top, *node; /* all between them are taken */
    uint64_t stamp;
};

static struct candidate youngest_of(struct pool *pool)
{
    struct node *top = pool->top, *n = top;
    while (n && n->taken)
        n = n->next;
    return (struct candidate){pool, top, n, n ? n->stamp : 0};
}

static bool take(struct candidate c)
{
    bool is_taken = false;
    if (!atomic_compare_exchange_strong(&c.node->taken, &is_taken, true))
        return false;
    atomic_compare_exchange_strong(&c.pool->top, &c.top, c.node->next);
    return true;
}

static struct node *take_best(struct candidate c)
{
#ifndef FIXED
    while (c.node && !take(c))
        c.node = c.node->next;
    return c.node;
#else
    return take(c) ? c.node : NULL;
#endif
}

/* Nothing was found below these tops: was there a moment without any element? */
static bool is_unchanged(struct node *const *tops, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (pools[i].top != tops[i])
            return false;
    return pool_count == count;
}

static struct node *take_youngest(void)
{
    uint64_t start = clock_value;
    for (;;) {
        struct node *tops[THREADS];
        struct candidate best = {0};
        unsigned count = pool_count;
        for (unsigned i = 0; i < count; i++) {
            struct candidate c = youngest_of(&pools[i]);
            tops[i] = c.top;
            if (c.node && c.stamp >= start && take(c))
                return c.node;
            if (c.node && (!best.node || c.stamp > best.stamp))
                best = c;
        }
        struct node *taken = best.node ? take_best(best) : NULL;
        if (taken || (!best.node && is_unchanged(tops, count)))
            return taken;
    }
}

PLUMB_OBJECT(stack)

PLUMB_SETUP()
{
    pool_count = 0;
    clock_value = 1;
}

PLUMB_THREAD_SETUP()
{
    unsigned count = pool_count, needed = plumb_thread() + 1;
    plumb_assume(needed <= THREADS);
    while (count < needed && !atomic_compare_exchange_weak(&pool_count, &count, needed))
        continue;
}

PLUMB_TEARDOWN()
{
    for (struct pool *p = pools; p < pools + THREADS; p++) {
        for (struct node *n = p->nodes, *older; n; n = older) {
            older = n->older;
            free(n);
        }
        p->nodes = NULL;
        p->top = NULL;
    }
}

PLUMB_OP(push, long, value)
{
    add(&pools[plumb_thread()], value);
    return PLUMB_OK;
}

PLUMB_OP(pop)
{
    struct node *n = take_youngest();
    return n ? PLUMB_INT(n->value) : PLUMB_NONE;
}

PLUMB_TEST("push(1) push(3) pop | push(2) pop => pop")
