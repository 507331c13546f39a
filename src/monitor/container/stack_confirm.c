/* SPDX-License-Identifier: Apache-2.0 */
/* A second algorithm for stacks, kept apart from stack.c: LiMo's algorithm 7 (characterisation of lemma 4.5)
 * in ranked time, O(n^2). It confirms cores that are necessarily long.
 *
 * Values whose push nothing precedes and whose pop nothing follows can lie at the bottom: leave them out. If there
 * is none, the history must fall apart at a moment at which nothing is certainly inside. */
#include "monitor/container/container.h"
#include "monitor/deciders.h"

struct range {
    uint32_t from, to;
};

struct layers {
    const struct container *c;
    uint32_t *values; /* ascending by ar inside every range */
    VEC(struct range) todo;
};

static const struct container_value *value_at(const struct layers *l, uint32_t k)
{
    return &l->c->values[l->values[k]];
}

/* Leaves out the values that can lie at the bottom of `r`. False: there was none. */
static bool drop_extremes(struct layers *l, struct range *r)
{
    uint32_t first_return = UINT32_MAX, last_call = 0, kept = r->from;
    for (uint32_t k = r->from; k < r->to; k++) {
        const struct container_value *v = value_at(l, k);
        first_return = v->ar < first_return ? v->ar : first_return;
        last_call = v->dc > last_call ? v->dc : last_call;
    }
    for (uint32_t k = r->from; k < r->to; k++) {
        const struct container_value *v = value_at(l, k);
        if (!(v->ac < first_return && v->dr > last_call))
            l->values[kept++] = l->values[k];
    }
    bool dropped = kept < r->to;
    r->to = kept;
    return dropped;
}

/* Splits `r` wherever nothing is inside. False: nowhere. */
static bool split(struct layers *l, struct range r)
{
    uint32_t start = r.from, last_call = 0;
    for (uint32_t k = r.from; k < r.to; k++) {
        const struct container_value *v = value_at(l, k);
        if (k > start && last_call < v->ar) {
            vec_push(&l->todo, ((struct range){start, k}));
            start = k;
            last_call = 0;
        }
        last_call = v->dc > last_call ? v->dc : last_call;
    }
    if (start == r.from)
        return false;
    vec_push(&l->todo, ((struct range){start, r.to}));
    return true;
}

static bool peel(struct layers *l)
{
    while (l->todo.len) {
        struct range r = vec_pop(&l->todo);
        while (r.from < r.to && drop_extremes(l, &r))
            continue;
        if (r.from < r.to && !split(l, r))
            return false;
    }
    return true;
}

/* Some gap of [from, to) lies in no inner interval. */
static bool has_free_gap(const struct container *c, uint32_t from, uint32_t to)
{
    uint32_t gap = from;
    for (uint32_t v = 0; v < c->value_count && gap < to; v++)
        if (c->values[v].ar <= gap && gap < c->values[v].dc) {
            gap = c->values[v].dc;
            v = UINT32_MAX; /* look at all of them again */
        }
    return gap < to;
}

static bool empties_fit(const struct container *c)
{
    const struct order *o = &c->part->order;
    for (size_t k = 0; k < c->empties.len; k++)
        if (!has_free_gap(c, o->call[c->empties.data[k]], o->ret[c->empties.data[k]]))
            return false;
    return true;
}

/* Values in the order of ar, read off the events. */
static void sort_values(struct layers *l)
{
    const struct order *o = &l->c->part->order;
    uint32_t count = 0;
    for (uint32_t e = 0; e < o->event_count; e++) {
        uint32_t v = l->c->value_of[order_event_op(o->event[e])];
        if (v != NO_VALUE && l->c->values[v].ar == e)
            l->values[count++] = v;
    }
    vec_push(&l->todo, ((struct range){0, count}));
}

enum verdict stack_confirm(const struct part *p, struct budget *budget, struct decision *d)
{
    (void)budget;
    struct container c;
    d->verdict = container_build(&c, p, d);
    if (d->verdict == VERDICT_HOLDS && (c.next_peek || c.pending_removals.len)) {
        d->why = "the second stack algorithm knows neither peeks nor pending removals";
        d->verdict = VERDICT_NONE;
    } else if (d->verdict == VERDICT_HOLDS) {
        struct layers l = {.c = &c, .values = NEW_ARRAY(uint32_t, c.value_count)};
        sort_values(&l);
        d->verdict = empties_fit(&c) && peel(&l) ? VERDICT_HOLDS : VERDICT_VIOLATED;
        vec_free(&l.todo);
        free(l.values);
    }
    container_free(&c);
    return d->verdict;
}
