/* SPDX-License-Identifier: Apache-2.0 */
/* Stronger orders, as few of them as possible. An execution that is violated while some sites are as strong as they can be stays
 * one unless one of its other sites is strengthened: each such execution is a set of sites of which a repair has one. A smallest
 * set that meets all of these sets is tried; either it is a repair, and none is smaller, or there is another execution. */
#include "orders/orders.h"

#include <stdlib.h>
#include <string.h>

struct search {
    struct orders *o;
    size_t count;      /* of sites */
    VEC(bool *) needs; /* sets of sites: a repair has one of each */
    bool *chosen;
};

static bool can_be_stronger(const struct orders *o, size_t site)
{
    return o->sites.all.data[site].order < ORDER_SEQ_CST;
}

static uint8_t *strongest(const struct search *s)
{
    uint8_t *assignment = NEW_ARRAY(uint8_t, s->count + 1);
    for (size_t k = 0; k < s->count; k++)
        assignment[k] = s->chosen[k] ? ORDER_SEQ_CST : ORDER_PLAIN;
    return assignment;
}

/* Adds the sites of the last violated execution that are not chosen. False: there are none. */
static bool add_need(struct search *s)
{
    bool *need = NEW_ZEROED(bool, s->count + 1), any = false;
    for (size_t k = 0; k < s->count; k++) {
        need[k] = s->o->involved[k] && !s->chosen[k] && can_be_stronger(s->o, k);
        any |= need[k];
    }
    vec_push(&s->needs, need);
    return any;
}

static bool meets(const struct search *s, const bool *need)
{
    for (size_t k = 0; k < s->count; k++)
        if (need[k] && s->chosen[k])
            return true;
    return false;
}

/* Chooses `more` sites such that every need is met. */
static bool choose(struct search *s, size_t more)
{
    size_t open = 0;
    while (open < s->needs.len && meets(s, s->needs.data[open]))
        open++;
    if (open == s->needs.len)
        return true;
    for (size_t k = 0; more && k < s->count; k++) {
        if (!s->needs.data[open][k])
            continue;
        s->chosen[k] = true;
        if (choose(s, more - 1))
            return true;
        s->chosen[k] = false;
    }
    return false;
}

static void choose_fewest(struct search *s)
{
    memset(s->chosen, 0, s->count);
    for (size_t size = 0; size <= s->count && !choose(s, size); size++)
        continue;
}

/* ------------------------------------------------------------------ how strong */

/* The weakest order above the one as written that is accepted, the others being as they are; weaker ones are tried first. */
static void weaken_choice(struct search *s, size_t site, uint8_t *assignment)
{
    const struct order_site *what = &s->o->sites.all.data[site];
    for (unsigned strength = 1; strength < ORDER_STRENGTHS; strength++)
        for (unsigned order = 0; order < ORDER_SEQ_CST && !s->o->why.code; order++) {
            if (order_strength(order) != strength || order == ORDER_CONSUME || !order_fits(what, order) ||
                !order_is_weaker(what->order, order))
                continue;
            uint8_t before = assignment[site];
            assignment[site] = (uint8_t)order;
            struct order_outcome outcome = orders_try(s->o, assignment);
            bool accepted = outcome.answer == ORDERS_ACCEPTED;
            order_outcome_free(&outcome);
            if (accepted)
                return;
            assignment[site] = before;
        }
}

static void keep_repair(struct search *s, const uint8_t *assignment)
{
    struct order_repair *r = &s->o->repair;
    r->answer = ORDERS_ACCEPTED;
    r->list = NEW_ARRAY(struct order_change, s->count + 1);
    for (size_t k = 0; k < s->count; k++)
        if (assignment[k] != ORDER_PLAIN)
            r->list[r->count++] = (struct order_change){k, s->o->sites.all.data[k].order, assignment[k]};
}

static void finish(struct search *s)
{
    uint8_t *assignment = strongest(s);
    for (size_t k = 0; k < s->count; k++)
        if (s->chosen[k])
            weaken_choice(s, k, assignment);
    if (!s->o->why.code)
        keep_repair(s, assignment);
    free(assignment);
}

/* ------------------------------------------------------------------ which */

static void give_up(struct orders *o, enum order_answer answer, const char *why)
{
    o->repair.answer = answer;
    o->repair.why = why;
}

/* Each round meets one execution more; so there are at most as many as there are sets of sites. */
static void search(struct search *s)
{
    struct orders *o = s->o;
    while (!o->why.code) {
        if (!add_need(s)) {
            give_up(o, ORDERS_VIOLATED, "no order of an atomic access or fence prevents it");
            return;
        }
        choose_fewest(s);
        uint8_t *assignment = strongest(s);
        struct order_outcome outcome = orders_try(o, assignment);
        free(assignment);
        enum order_answer answer = outcome.answer;
        order_outcome_free(&outcome);
        if (answer == ORDERS_ACCEPTED) {
            finish(s);
            return;
        }
        if (answer != ORDERS_VIOLATED) {
            give_up(o, ORDERS_UNDECIDED, "a stronger order was not decided in time");
            return;
        }
    }
}

void orders_find_repair(struct orders *o)
{
    struct search s = {.o = o, .count = o->sites.all.len};
    o->involved = NEW_ZEROED(bool, s.count + 1);
    s.chosen = NEW_ZEROED(bool, s.count + 1);
    o->options.watch_orders = true; /* other executions may have further sites */
    uint8_t *assignment = strongest(&s);
    struct order_outcome outcome = orders_try(o, assignment); /* again, to see the execution */
    free(assignment);
    if (outcome.answer == ORDERS_VIOLATED)
        search(&s);
    else
        give_up(o, ORDERS_UNDECIDED, "the violation was not found again in time");
    order_outcome_free(&outcome);
    for (size_t k = 0; k < s.needs.len; k++)
        free(s.needs.data[k]);
    vec_free(&s.needs);
    free(s.chosen);
    free(o->involved);
    o->involved = NULL;
    o->options.watch_orders = false;
}
