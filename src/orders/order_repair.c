/* SPDX-License-Identifier: Apache-2.0 */
/* Stronger orders, as few of them as possible. Sites that can all be as strong as they can be while some execution is violated are no
 * repair, nor is any part of them: a repair has one of the others. A smallest set that meets all such sets of others is tried; either it
 * is a repair, and none is smaller, or it is violated: then it is extended by all that does not help, and what is left is one more set. */
#include "orders/orders.h"

#include <stdlib.h>
#include <string.h>

struct search {
    struct orders *o;
    size_t count;      /* of sites */
    VEC(bool *) needs; /* sets of sites: a repair has one of each */
    bool *chosen;
    bool *able; /* to be stronger: not all of its calls are known to be seq_cst */
};

static uint8_t *strongest(const struct search *s)
{
    uint8_t *assignment = NEW_ARRAY(uint8_t, s->count + 1);
    for (size_t k = 0; k < s->count; k++)
        assignment[k] = s->chosen[k] && s->able[k] ? ORDER_SEQ_CST : ORDER_PLAIN;
    return assignment;
}

/* Sites that the last violated execution does not have make no difference to it. */
static void add_uninvolved(struct search *s)
{
    for (size_t k = 0; k < s->count; k++)
        if (!s->o->involved[k] || !s->able[k])
            s->chosen[k] = true;
}

static enum order_answer try_chosen(struct search *s)
{
    uint8_t *assignment = strongest(s);
    struct order_outcome outcome = orders_try(s->o, assignment);
    enum order_answer answer = outcome.answer;
    order_outcome_free(&outcome);
    free(assignment);
    return answer;
}

/* What is chosen is violated. Adds all sites that do not change that; of the others, a repair has one. False: there are none. */
static bool add_need(struct search *s)
{
    bool *need = NEW_ZEROED(bool, s->count + 1), any = false;
    add_uninvolved(s);
    for (size_t k = 0; k < s->count && !s->o->why.code; k++) {
        if (s->chosen[k])
            continue;
        s->chosen[k] = true;
        if (try_chosen(s) == ORDERS_VIOLATED)
            add_uninvolved(s);
        else
            s->chosen[k] = false;
    }
    for (size_t k = 0; k < s->count; k++) {
        need[k] = !s->chosen[k];
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

/* The weakest order above the one as written that is accepted, the others being as they are; weaker ones are tried first. Of a site
 * with several orders only seq_cst is known to be stronger than all of them. */
static void weaken_choice(struct search *s, size_t site, uint8_t *assignment)
{
    const struct order_site *what = &s->o->sites.all.data[site];
    if (what->order > ORDER_SEQ_CST)
        return;
    for (unsigned strength = 1; strength < ORDER_STRENGTHS; strength++)
        for (unsigned order = 0; order < ORDER_SEQ_CST && !s->o->why.code; order++) {
            if (order_strength(order) != strength || order == ORDER_CONSUME || !order_fits(what, order) ||
                !order_is_weaker(what->order, order))
                continue;
            uint8_t before = assignment[site];
            assignment[site] = (uint8_t)order;
            struct order_outcome outcome = orders_try(s->o, assignment);
            bool accepted = outcome.answer == ORDERS_ACCEPTED;
            s->o->repair.is_minimal &= outcome.answer != ORDERS_UNDECIDED;
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
    s->o->repair.is_minimal = true;
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

/* Each round finds another set, so there are not more than there are sets of sites. */
static void search(struct search *s)
{
    struct orders *o = s->o;
    while (!o->why.code) {
        if (!add_need(s)) {
            give_up(o, ORDERS_VIOLATED, "no order of an atomic access or fence prevents it");
            return;
        }
        choose_fewest(s);
        enum order_answer answer = try_chosen(s);
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
    s.able = NEW_ZEROED(bool, s.count + 1);
    for (size_t k = 0; k < s.count; k++)
        s.able[k] = o->sites.all.data[k].order != ORDER_SEQ_CST;
    if (try_chosen(&s) == ORDERS_VIOLATED) /* again, to see the execution */
        search(&s);
    else
        give_up(o, ORDERS_UNDECIDED, "the violation was not found again in time");
    for (size_t k = 0; k < s.needs.len; k++)
        free(s.needs.data[k]);
    vec_free(&s.needs);
    free(s.chosen);
    free(s.able);
    free(o->involved);
    o->involved = NULL;
}
