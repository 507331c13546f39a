/* SPDX-License-Identifier: Apache-2.0 */
/* Weaker orders: for each site alone, from the weakest up, then for all of them together. Weakening an order only adds executions:
 * what accepts an order accepts every stronger one, and what is violated alone is violated together. */
#include "orders/orders.h"

#include <stdlib.h>
#include <string.h>

static uint8_t *as_written(const struct orders *o)
{
    uint8_t *assignment = NEW_ARRAY(uint8_t, o->sites.all.len + 1);
    memset(assignment, ORDER_PLAIN, o->sites.all.len + 1);
    return assignment;
}

/* ------------------------------------------------------------------ one site */

/* Consume is what acquire is, and nobody should write it. */
static bool is_candidate(const struct order_site *site, unsigned order)
{
    return order != ORDER_CONSUME && order_fits(site, order) && order_is_weaker(order, site->order);
}

/* Tries all orders of that strength; true: some of them were accepted. */
static bool try_strength(struct orders *o, size_t site, unsigned strength)
{
    struct order_result *r = &o->results[site];
    uint8_t *assignment = as_written(o);
    for (unsigned order = 0; order <= ORDER_SEQ_CST && !o->why.code; order++) {
        if (order_strength(order) != strength || !is_candidate(&o->sites.all.data[site], order))
            continue;
        assignment[site] = (uint8_t)order;
        r->tried[order] = orders_try(o, assignment);
        if (r->tried[order].answer == ORDERS_ACCEPTED)
            r->weakest[r->weakest_count++] = (uint8_t)order;
    }
    free(assignment);
    return r->weakest_count > 0;
}

static bool is_decided(const struct order_result *r)
{
    for (unsigned order = 0; order <= ORDER_SEQ_CST; order++)
        if (r->tried[order].answer == ORDERS_UNDECIDED)
            return false;
    return true;
}

static void weaken_site(struct orders *o, size_t site)
{
    struct order_result *r = &o->results[site];
    bool found = false;
    for (unsigned strength = 0; strength < ORDER_STRENGTHS && !found && !o->why.code; strength++)
        found = try_strength(o, site, strength);
    if (!r->weakest_count)
        r->weakest[r->weakest_count++] = o->sites.all.data[site].order;
    r->is_decided = is_decided(r);
}

/* ------------------------------------------------------------------ all of them */

static bool try_together(struct orders *o, const uint8_t *assignment)
{
    order_outcome_free(&o->joint);
    o->joint = orders_try(o, assignment);
    return o->joint.answer == ORDERS_ACCEPTED;
}

/* The order number `turn` of those that the site may have together with the others: its own answers, then stronger ones. */
static unsigned next_order(const struct orders *o, size_t site, unsigned turn)
{
    const struct order_result *r = &o->results[site];
    if (turn < r->weakest_count)
        return r->weakest[turn];
    turn -= r->weakest_count;
    for (unsigned strength = 0; strength < ORDER_STRENGTHS; strength++)
        for (unsigned order = 0; order <= ORDER_SEQ_CST; order++) {
            bool stronger = false;
            for (unsigned k = 0; k < r->weakest_count; k++)
                stronger |= order_is_weaker(r->weakest[k], order);
            if (order_strength(order) == strength && stronger &&
                is_candidate(&o->sites.all.data[site], order) && turn-- == 0)
                return order;
        }
    return ORDER_PLAIN;
}

/* One site after the other becomes as weak as it can be beside those before it. */
static void weaken_in_turn(struct orders *o, uint8_t *assignment)
{
    bool accepted = false;
    memset(assignment, ORDER_PLAIN, o->sites.all.len);
    for (size_t k = 0; k < o->sites.all.len && !o->why.code; k++) {
        if (!o->results[k].is_asked || o->results[k].weakest[0] == o->sites.all.data[k].order)
            continue;
        o->at_site = k;
        accepted = false;
        for (unsigned turn = 0; !accepted && !o->why.code; turn++) {
            assignment[k] = (uint8_t)next_order(o, k, turn);
            accepted = assignment[k] == ORDER_PLAIN || try_together(o, assignment);
            o->is_minimal = o->is_minimal && o->joint.answer != ORDERS_UNDECIDED;
        }
    }
    order_outcome_free(&o->joint); /* what was accepted last, or what is written */
    o->joint.answer = o->why.code ? ORDERS_UNDECIDED : ORDERS_ACCEPTED;
}

static void weaken_together(struct orders *o)
{
    uint8_t *assignment = as_written(o);
    size_t changed = 0;
    o->is_minimal = true;
    for (size_t k = 0; k < o->sites.all.len; k++) {
        const struct order_result *r = &o->results[k];
        o->is_minimal = o->is_minimal && (!r->is_asked || r->is_decided);
        if (!r->is_asked || r->weakest[0] == o->sites.all.data[k].order)
            continue;
        assignment[k] = r->weakest[0];
        changed++;
    }
    if (!changed)
        o->joint.answer = ORDERS_ACCEPTED; /* as written */
    else if (!try_together(o, assignment) && !o->why.code)
        weaken_in_turn(o, assignment);
    for (size_t k = 0; k < o->sites.all.len; k++)
        o->results[k].together = assignment[k];
    free(assignment);
}

void orders_weaken(struct orders *o)
{
    for (size_t k = 0; k < o->sites.all.len && !o->why.code; k++) {
        o->at_site = k;
        if (o->results[k].is_asked)
            weaken_site(o, k);
        if (!o->why.code && o->site_done)
            o->site_done(o->context, o, k);
    }
    if (!o->why.code)
        weaken_together(o);
}
