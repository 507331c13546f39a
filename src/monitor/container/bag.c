/* SPDX-License-Identifier: Apache-2.0 */
/* Bags with distinct values in linear time: values do not hinder each other, so only the empty answers
 * can be wrong. At the gap chosen for an empty answer every value is wholly before or wholly behind. */
#include "monitor/container/container.h"
#include "monitor/deciders.h"

#include "base/sort.h"

struct emission {
    const struct container *c;
    struct decision *d;
    VEC(uint32_t) inside; /* values added but not yet taken */
    uint8_t *done;        /* per value: 1 added, 2 taken */
};

static void emit_add(struct emission *m, uint32_t v)
{
    if (m->done[v])
        return;
    m->done[v] = 1;
    vec_push(&m->d->witness, m->c->values[v].add);
    vec_push(&m->inside, v);
}

static void emit_take(struct emission *m, uint32_t v)
{
    emit_add(m, v);
    if (m->done[v] == 2 || m->c->values[v].rem == NO_OP)
        return;
    m->done[v] = 2;
    vec_push(&m->d->witness, m->c->values[v].rem);
}

static void emit_at_return(struct emission *m, uint32_t op, uint32_t g)
{
    uint32_t v = m->c->value_of[op];
    if (v == NO_VALUE)
        return;
    if (m->c->values[v].ar == g)
        emit_add(m, v);
    if (m->c->values[v].rem == op)
        emit_take(m, v);
}

static void emit_empty(struct emission *m, uint32_t op)
{
    for (size_t k = 0; k < m->inside.len; k++)
        emit_take(m, m->inside.data[k]);
    vec_clear(&m->inside);
    vec_push(&m->d->witness, op);
}

static void emit_all(struct emission *m, const uint32_t *picks)
{
    const struct order *o = &m->c->part->order;
    uint32_t empties = (uint32_t)m->c->empties.len, next = 0;
    OWNED uint32_t *by_gap = NEW_ARRAY(uint32_t, empties);
    OWNED uint64_t *keys = NEW_ARRAY(uint64_t, empties);
    for (uint32_t k = 0; k < empties; k++) {
        by_gap[k] = k;
        keys[k] = picks[k];
    }
    sort_by_key(by_gap, empties, keys);
    for (uint32_t g = 0; g < m->c->events; g++) {
        if (order_event_returns(o->event[g]))
            emit_at_return(m, order_event_op(o->event[g]), g);
        for (; next < empties && picks[by_gap[next]] == g; next++)
            emit_empty(m, m->c->empties.data[by_gap[next]]);
    }
}

static enum verdict solve_bag(struct container *c, struct budget *budget, struct decision *d)
{
    (void)budget;
    OWNED uint32_t *picks = NEW_ARRAY(uint32_t, c->empties.len);
    d->verdict = container_pick_empties(c, picks, d) ? VERDICT_HOLDS : VERDICT_VIOLATED;
    if (d->verdict == VERDICT_HOLDS) {
        struct emission m = {.c = c, .d = d, .done = NEW_ZEROED(uint8_t, c->value_count)};
        vec_reserve(&d->witness, c->part->order.count);
        emit_all(&m, picks);
        vec_free(&m.inside);
        free(m.done);
    }
    return d->verdict;
}

enum verdict bag_decide(const struct part *p, struct budget *budget, struct decision *d)
{
    return container_decide(p, budget, solve_bag, d);
}
