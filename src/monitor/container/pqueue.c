/* SPDX-License-Identifier: Apache-2.0 */
/* Priority queues with distinct priorities, almost linear (docs/internals/monitor/pqueue.md).
 *
 * Values are placed from the most urgent to the least. A gap is free while no more urgent value is
 * certainly inside; a value can only be removed, or seen as the minimum, in a free gap. Gaps only stop being
 * free, so "next free" and "previous free" are union-find structures. */
#include "base/sort.h"
#include "monitor/decider_tools.h"
#include "monitor/deciders.h"
#include "monitor/container/gaps.h"

#include <string.h>

struct pqueue {
    const struct container *c;
    struct gaps gaps;
    struct container_value *values; /* times in gaps */
    uint32_t *by_urgency;           /* values, most urgent first */
    uint32_t *next, *previous;      /* union-find over gaps 0..count, shifted by one for previous */
    uint32_t *taker;                /* per gap: the value that ended its freedom */
    uint32_t *a, *b;                /* per value: gap of insertion and of removal */
    uint32_t *at;                   /* per peek or empty (operation): its gap */
};

/* ------------------------------------------------------------------ free gaps */

static uint32_t find_root(uint32_t *parent, uint32_t g)
{
    while (parent[g] != g) {
        parent[g] = parent[parent[g]];
        g = parent[g];
    }
    return g;
}

/* First free gap of [from, to), or NO_GAP. END is always free. */
static uint32_t first_free(struct pqueue *q, uint32_t from, uint32_t to)
{
    uint32_t g = find_root(q->next, from);
    return g < to ? g : NO_GAP;
}

static uint32_t last_free(struct pqueue *q, uint32_t from, uint32_t to)
{
    if (to <= from)
        return NO_GAP;
    uint32_t g = find_root(q->previous, to); /* gap g is stored as g + 1; 0 stands for none */
    return g > from ? g - 1 : NO_GAP;
}

static void take_gaps(struct pqueue *q, uint32_t v)
{
    uint32_t to = q->values[v].dc;
    for (uint32_t g = find_root(q->next, q->values[v].ar); g < to; g = find_root(q->next, g)) {
        q->taker[g] = v;
        q->next[g] = g + 1;
        q->previous[g + 1] = g;
    }
}

/* ------------------------------------------------------------------ cores */

/* No gap of [from, to) was free: everyone who took one, and the operation itself. */
static bool reject(struct pqueue *q, uint32_t from, uint32_t to, struct decision *d)
{
    OWNED uint8_t *listed = NEW_ZEROED(uint8_t, q->c->value_count);
    for (uint32_t g = from; g < to && g < q->gaps.count; g++) {
        uint32_t v = q->taker[g];
        if (v != NO_VALUE && !listed[v]) {
            listed[v] = 1;
            container_add_to_core(q->c, v, d);
        }
    }
    return false;
}

static bool reject_value(struct pqueue *q, uint32_t v, uint32_t from, uint32_t to, struct decision *d)
{
    container_add_to_core(q->c, v, d);
    return reject(q, from, to, d);
}

/* ------------------------------------------------------------------ placing */

static uint32_t event_gap(const struct pqueue *q, uint32_t position)
{
    return gap_index(&q->gaps, position, q->c->events);
}

static bool place_peeks(struct pqueue *q, uint32_t v, struct decision *d)
{
    const struct order *o = &q->c->part->order;
    const struct container_value *value = &q->values[v];
    for (uint32_t x = value->first_peek; x != NO_OP; x = q->c->next_peek[x]) {
        uint32_t from = event_gap(q, o->call[x]), to = event_gap(q, o->ret[x]);
        if (from < value->ac)
            from = value->ac;
        if (to > value->dr)
            to = value->dr;
        if (to > q->b[v] + 1)
            to = q->b[v] + 1;
        uint32_t g = last_free(q, from, to);
        if (g == NO_GAP)
            return reject_value(q, v, from, to, d);
        q->at[x] = g;
        if (g < q->a[v])
            q->a[v] = g;
    }
    return true;
}

static bool place_value(struct pqueue *q, uint32_t v, struct decision *d)
{
    const struct container_value *value = &q->values[v];
    q->b[v] = q->gaps.count;
    if (value->rem != NO_OP) {
        q->b[v] = first_free(q, value->dc, value->dr);
        if (q->b[v] == NO_GAP)
            return reject_value(q, v, value->dc, value->dr, d);
    }
    q->a[v] = value->ar - 1 < q->b[v] ? value->ar - 1 : q->b[v];
    if (!place_peeks(q, v, d))
        return false;
    take_gaps(q, v);
    return true;
}

static bool place_empties(struct pqueue *q, struct decision *d)
{
    const struct order *o = &q->c->part->order;
    for (size_t k = 0; k < q->c->empties.len; k++) {
        uint32_t x = q->c->empties.data[k];
        uint32_t from = event_gap(q, o->call[x]), to = event_gap(q, o->ret[x]);
        q->at[x] = first_free(q, from, to);
        if (q->at[x] == NO_GAP) {
            vec_push(&d->core, x);
            return reject(q, from, to, d);
        }
    }
    return true;
}

/* ------------------------------------------------------------------ the witness */

static void emit_peeks_at(const struct pqueue *q, uint32_t v, uint32_t g, struct decision *d)
{
    for (uint32_t x = q->values[v].first_peek; x != NO_OP; x = q->c->next_peek[x])
        if (q->at[x] == g)
            vec_push(&d->witness, x);
}

static void emit_removed_at(const struct pqueue *q, const struct groups *removed, uint32_t g,
                            struct decision *d)
{
    for (uint32_t k = removed->start[g]; k < removed->start[g + 1]; k++) {
        uint32_t v = removed->items[k];
        if (q->a[v] == g)
            vec_push(&d->witness, q->values[v].add);
        emit_peeks_at(q, v, g, d);
        vec_push(&d->witness, q->values[v].rem);
    }
}

static void emit_inserted_at(const struct pqueue *q, const struct groups *inserted, uint32_t g,
                             struct decision *d)
{
    for (uint32_t k = inserted->start[g + 1]; k > inserted->start[g]; k--) {
        uint32_t v = inserted->items[k - 1];
        if (q->b[v] == g)
            continue;
        vec_push(&d->witness, q->values[v].add);
        emit_peeks_at(q, v, g, d);
    }
}

/* Peeks strictly between insertion and removal of their value, and empty answers. */
static struct groups group_lone_reads(const struct pqueue *q)
{
    OWNED VEC(uint32_t) lone = {0};
    for (uint32_t v = 0; q->c->next_peek && v < q->c->value_count; v++)
        for (uint32_t x = q->values[v].first_peek; x != NO_OP; x = q->c->next_peek[x])
            if (q->at[x] != q->a[v] && q->at[x] != q->b[v])
                vec_push(&lone, x);
    for (size_t k = 0; k < q->c->empties.len; k++)
        vec_push(&lone, q->c->empties.data[k]);
    return groups_make(lone.data, (uint32_t)lone.len, q->at, q->gaps.count + 1);
}

static void build_witness(const struct pqueue *q, struct decision *d)
{
    uint32_t count = q->c->value_count, gaps = q->gaps.count;
    struct groups removed = groups_make(q->by_urgency, count, q->b, gaps + 1);
    struct groups inserted = groups_make(q->by_urgency, count, q->a, gaps + 1);
    struct groups lone = group_lone_reads(q);
    vec_reserve(&d->witness, q->c->part->order.count);
    for (uint32_t g = 0; g < gaps; g++) {
        emit_removed_at(q, &removed, g, d);
        for (uint32_t k = lone.start[g]; k < lone.start[g + 1]; k++)
            vec_push(&d->witness, lone.items[k]);
        emit_inserted_at(q, &inserted, g, d);
    }
    groups_free(&removed);
    groups_free(&inserted);
    groups_free(&lone);
}

/* ------------------------------------------------------------------ all together */

static int64_t priority_of(const struct container *c, uint32_t v)
{
    const struct plumb_values *pool = c->part->history->values;
    plumb_value arg = part_op(c->part, c->values[v].add)->arg;
    if (plumb_is_array(arg))
        arg = plumb_array_item(pool, arg, 0);
    return plumb_int_of(pool, arg);
}

/* False: two values share a priority. */
static bool sort_by_urgency(struct pqueue *q)
{
    uint32_t count = q->c->value_count;
    OWNED uint64_t *keys = NEW_ARRAY(uint64_t, count);
    q->by_urgency = NEW_ARRAY(uint32_t, count);
    for (uint32_t v = 0; v < count; v++) {
        keys[v] = sort_key_of_signed(priority_of(q->c, v));
        q->by_urgency[v] = v;
    }
    sort_by_key(q->by_urgency, count, keys);
    bool distinct = true;
    for (uint32_t k = 1; k < count; k++)
        distinct &= keys[q->by_urgency[k - 1]] != keys[q->by_urgency[k]];
    return distinct;
}

static void prepare(struct pqueue *q)
{
    const struct container *c = q->c;
    gaps_find(&q->gaps, &c->part->order);
    uint32_t gaps = q->gaps.count;
    q->values = NEW_ARRAY(struct container_value, c->value_count);
    gaps_convert_values(&q->gaps, c, q->values);
    q->next = NEW_ARRAY(uint32_t, gaps + 2);
    q->previous = NEW_ARRAY(uint32_t, gaps + 2);
    for (uint32_t g = 0; g < gaps + 2; g++)
        q->next[g] = q->previous[g] = g;
    q->taker = NEW_ARRAY(uint32_t, gaps + 1);
    memset(q->taker, 0xff, sizeof(uint32_t) * (gaps + 1));
    q->a = NEW_ARRAY(uint32_t, c->value_count);
    q->b = NEW_ARRAY(uint32_t, c->value_count);
    if (c->next_peek || c->empties.len)
        q->at = NEW_ARRAY(uint32_t, c->part->order.count);
}

static bool place_all(struct pqueue *q, struct decision *d)
{
    for (uint32_t k = 0; k < q->c->value_count; k++)
        if (!place_value(q, q->by_urgency[k], d))
            return false;
    return place_empties(q, d);
}

static enum verdict solve_pqueue(struct container *c, struct budget *budget, struct decision *d)
{
    (void)budget;
    struct pqueue q = {.c = c};
    if (!sort_by_urgency(&q)) {
        d->why = "two values have the same priority";
        d->verdict = VERDICT_NONE;
    } else {
        prepare(&q);
        d->verdict = place_all(&q, d) ? VERDICT_HOLDS : VERDICT_VIOLATED;
        if (d->verdict == VERDICT_HOLDS)
            build_witness(&q, d);
        gaps_free(&q.gaps);
    }
    free(q.values);
    free(q.by_urgency);
    free(q.next);
    free(q.previous);
    free(q.taker);
    free(q.a);
    free(q.b);
    free(q.at);
    return d->verdict;
}

enum verdict pqueue_decide(const struct part *p, struct budget *budget, struct decision *d)
{
    return container_decide(p, budget, solve_pqueue, d);
}
