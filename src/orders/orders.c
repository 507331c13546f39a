/* SPDX-License-Identifier: Apache-2.0 */
#include "orders/orders.h"

#include "base/budget.h"

#include <stdlib.h>
#include <string.h>

/* What an order does: acquire, release, and part of the order of all seq_cst accesses. */
static unsigned effects_of(unsigned order)
{
    enum { ACQUIRES = 1, RELEASES = 2, ALL = 7 };
    static const uint8_t effects[] = {
        [ORDER_RELAXED] = 0,
        [ORDER_CONSUME] = ACQUIRES,
        [ORDER_ACQUIRE] = ACQUIRES,
        [ORDER_RELEASE] = RELEASES,
        [ORDER_ACQ_REL] = ACQUIRES | RELEASES,
        [ORDER_SEQ_CST] = ALL,
    };
    return order <= ORDER_SEQ_CST ? effects[order] : 0;
}

bool order_is_weaker(unsigned a, unsigned b)
{
    unsigned x = effects_of(a), y = effects_of(b);
    return x != y && (x & ~y) == 0;
}

unsigned order_strength(unsigned order)
{
    return (unsigned)__builtin_popcount(effects_of(order));
}

/* The tests as written; with a table of all calls, so that it is known which of them happen. */
static bool run_as_written(struct orders *o)
{
    uint8_t *written = NEW_ARRAY(uint8_t, o->sites.all.len + 1);
    memset(written, ORDER_PLAIN, o->sites.all.len + 1);
    o->options.watch_orders = true;
    o->base = orders_try(o, written);
    o->options.watch_orders = false;
    o->variants = 0;
    free(written);
    return !o->why.code;
}

bool orders_begin(struct orders *o)
{
    if (o->started <= 0)
        o->started = base_now();
    o->deadline = o->options.time > 0 ? o->started + o->options.time : 0;
    order_sites_find(&o->sites, o->program->path);
    o->results = NEW_ZEROED(struct order_result, o->sites.all.len + 1);
    o->turns = NEW_ARRAY(size_t, o->test_count);
    for (size_t k = 0; k < o->test_count; k++)
        o->turns[k] = k;
    for (size_t k = 0; k < o->sites.all.len; k++)
        o->results[k].together = ORDER_PLAIN;
    if (!run_as_written(o))
        return false;
    for (size_t k = 0; k < o->sites.all.len; k++)
        o->results[k].is_asked = o->sites.all.data[k].ran && o->sites.all.data[k].order <= ORDER_SEQ_CST;
    return true;
}

unsigned orders_next_weaker(const struct order_result *r)
{
    unsigned found = ORDER_PLAIN;
    for (unsigned order = 0; order <= ORDER_SEQ_CST; order++)
        if (r->tried[order].answer == ORDERS_VIOLATED && order_is_weaker(order, r->weakest[0]) &&
            (found == ORDER_PLAIN || order_strength(order) > order_strength(found)))
            found = order;
    return found;
}

bool orders_are_decided(const struct orders *o)
{
    if (o->base.answer == ORDERS_VIOLATED)
        return o->repair.answer != ORDERS_UNDECIDED;
    bool decided = o->base.answer == ORDERS_ACCEPTED && o->joint.answer == ORDERS_ACCEPTED && o->is_minimal &&
                   !o->sites.without_place;
    for (size_t k = 0; k < o->sites.all.len; k++)
        decided = decided && (!o->results[k].is_asked || o->results[k].is_decided);
    return decided;
}

void order_outcome_free(struct order_outcome *outcome)
{
    free(outcome->text);
    *outcome = (struct order_outcome){0};
}

void orders_free(struct orders *o)
{
    for (size_t k = 0; o->results && k < o->sites.all.len; k++)
        for (size_t i = 0; i < ORDERS_LEVELS; i++)
            order_outcome_free(&o->results[k].tried[i]);
    free(o->results);
    free(o->turns);
    free(o->repair.list);
    order_outcome_free(&o->base);
    order_outcome_free(&o->joint);
    order_sites_free(&o->sites);
}
