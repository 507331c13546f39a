/* SPDX-License-Identifier: Apache-2.0 */
/* Queues with distinct values in linear time (docs/internals/monitor/queue.md).
 *
 * Additions (E) and removals (D) are two interval orders on the values. Two cursors walk over the events of E and
 * of D; a value is finished once both have passed its call, and a cursor stops at the return of an
 * unfinished value. Both stuck: two values that entered in one order and left in the other. */
#include "base/sort.h"
#include "monitor/container/container.h"
#include "monitor/decider_tools.h"
#include "monitor/deciders.h"

#include <string.h>

enum { E_CALLED = 1, D_CALLED = 2, FINISHED = 3 };

/* One walk: the calls (value << 1) and returns (value << 1 | 1) of all values in time order. */
struct walk {
    uint32_t *steps;
    uint32_t count, next;
};

struct queue {
    const struct container *c;
    uint32_t *picks; /* gap of each empty answer */
    uint32_t *cuts;  /* the picks, ascending and distinct */
    uint32_t cut_count;
    uint32_t *segment; /* of each value: how many cuts lie before its ar */
    struct walk e, d;
    uint8_t *mark;
    uint32_t *order; /* values in the order in which they finished */
    uint32_t finished;
};

/* The gap from which v must be at the head, if it has been seen there before its removal was called. */
static inline uint32_t head_from(const struct container_value *v)
{
    return v->seen < v->dr ? v->seen : v->dr;
}
static inline bool has_zone(const struct container_value *v)
{
    return head_from(v) < v->dc;
}

/* ------------------------------------------------------------------ pairs in the wrong order */

static bool reject_pair(const struct queue *q, uint32_t v, uint32_t w, struct decision *d)
{
    container_add_to_core(q->c, v, d);
    if (w != v)
        container_add_to_core(q->c, w, d);
    return false;
}

/* v was certainly inside before w was added and still is when w has reached the head. */
static bool check_containment(const struct queue *q, struct decision *d)
{
    const struct container *c = q->c;
    const struct order *o = &c->part->order;
    uint32_t longest = NO_VALUE;
    for (uint32_t g = 0; g < c->events; g++) {
        uint32_t op = order_event_op(o->event[g]), v = c->value_of[op];
        if (v == NO_VALUE)
            continue;
        const struct container_value *value = &c->values[v];
        if (value->ar == g && (longest == NO_VALUE || value->dc > c->values[longest].dc))
            longest = v;
        if (value->add == op && value->ac == g && longest != NO_VALUE &&
            head_from(value) < c->values[longest].dc)
            return reject_pair(q, longest, v, d);
    }
    return true;
}

/* ------------------------------------------------------------------ the two walks */

static void make_cuts(struct queue *q)
{
    uint32_t count = (uint32_t)q->c->empties.len;
    q->cuts = NEW_ARRAY(uint32_t, count);
    memcpy(q->cuts, q->picks, sizeof(uint32_t) * count);
    q->cut_count = (uint32_t)sort_distinct(q->cuts, count);
}

/* A value lies wholly before a cut when ar <= cut, wholly behind it otherwise. */
static void assign_segments(struct queue *q)
{
    const struct container *c = q->c;
    q->segment = NEW_ZEROED(uint32_t, c->value_count);
    for (uint32_t v = 0; v < c->value_count; v++) {
        uint32_t low = 0, high = q->cut_count;
        while (low < high) {
            uint32_t middle = (low + high) / 2;
            if (q->cuts[middle] < c->values[v].ar)
                low = middle + 1;
            else
                high = middle;
        }
        q->segment[v] = low;
    }
}

/* Sorts the steps by segment, keeping the time order inside each: exactly the order that results from
 * moving every call behind the cut before its value and every return before the cut behind it. */
static void sort_by_segment(const struct queue *q, struct walk *w)
{
    if (!q->cut_count)
        return;
    uint32_t *start = NEW_ZEROED(uint32_t, q->cut_count + 2);
    for (uint32_t k = 0; k < w->count; k++)
        start[q->segment[w->steps[k] >> 1] + 1]++;
    for (uint32_t s = 0; s <= q->cut_count; s++)
        start[s + 1] += start[s];
    uint32_t *sorted = NEW_ARRAY(uint32_t, w->count);
    for (uint32_t k = 0; k < w->count; k++)
        sorted[start[q->segment[w->steps[k] >> 1]]++] = w->steps[k];
    free(w->steps);
    free(start);
    w->steps = sorted;
}

static inline void walk_add(struct walk *w, uint32_t value, bool is_return)
{
    w->steps[w->count++] = value << 1 | is_return;
}

static void build_e(struct queue *q)
{
    const struct container *c = q->c;
    const struct order *o = &c->part->order;
    q->e.steps = NEW_ARRAY(uint32_t, 2 * (size_t)c->value_count);
    for (uint32_t g = 0; g < c->events; g++) {
        uint32_t v = c->value_of[order_event_op(o->event[g])];
        if (v == NO_VALUE)
            continue;
        if (c->values[v].ac == g)
            walk_add(&q->e, v, false);
        else if (c->values[v].ar == g)
            walk_add(&q->e, v, true);
    }
    sort_by_segment(q, &q->e);
}

/* What event g means for the removals: the value whose call (dc) or return it is. */
static uint32_t d_event(const struct container *c, uint32_t g, bool *is_return)
{
    uint32_t v = c->value_of[order_event_op(c->part->order.event[g])];
    if (v == NO_VALUE)
        return NO_VALUE;
    *is_return = head_from(&c->values[v]) == g;
    return *is_return || c->values[v].dc == g ? v : NO_VALUE;
}

/* v is at the head throughout its zone: other returns inside move before it, other calls behind it. */
static bool add_zone(struct queue *q, uint32_t v, uint32_t start, struct decision *d)
{
    const struct container *c = q->c;
    uint32_t end = c->values[v].dc < c->events ? c->values[v].dc : c->events;
    bool is_return;
    for (uint32_t g = start + 1; g < end; g++) {
        uint32_t w = d_event(c, g, &is_return);
        if (w == NO_VALUE || w == v || !is_return)
            continue;
        if (has_zone(&c->values[w]))
            return reject_pair(q, v, w, d);
        walk_add(&q->d, w, true);
    }
    walk_add(&q->d, v, false);
    walk_add(&q->d, v, true);
    for (uint32_t g = start + 1; g < end; g++) {
        uint32_t w = d_event(c, g, &is_return);
        if (w != NO_VALUE && w != v && !is_return)
            walk_add(&q->d, w, false);
    }
    return true;
}

/* Values that never leave are removed after the last event: all calls, then all returns. */
static void add_virtual_removals(struct queue *q)
{
    const struct container *c = q->c;
    for (int is_return = 0; is_return <= 1; is_return++)
        for (uint32_t v = 0; v < c->value_count; v++) {
            const struct container_value *value = &c->values[v];
            bool virtual_step = is_return ? value->dr > c->events : value->dc == c->events;
            if (virtual_step && !has_zone(value) && !(is_return && value->seen < value->dr))
                walk_add(&q->d, v, is_return);
        }
}

static bool build_d(struct queue *q, struct decision *d)
{
    const struct container *c = q->c;
    q->d.steps = NEW_ARRAY(uint32_t, 2 * (size_t)c->value_count);
    for (uint32_t g = 0; g < c->events; g++) {
        bool is_return;
        uint32_t v = d_event(c, g, &is_return);
        if (v == NO_VALUE)
            continue;
        if (!has_zone(&c->values[v])) {
            walk_add(&q->d, v, is_return);
            continue;
        }
        if (!add_zone(q, v, g, d))
            return false;
        g = c->values[v].dc;
    }
    add_virtual_removals(q);
    sort_by_segment(q, &q->d);
    return true;
}

/* ------------------------------------------------------------------ the cursors */

static bool advance(struct queue *q, struct walk *w, uint8_t called)
{
    uint32_t before = w->next;
    for (; w->next < w->count; w->next++) {
        uint32_t v = w->steps[w->next] >> 1;
        if (w->steps[w->next] & 1) {
            if (q->mark[v] != FINISHED)
                break;
        } else {
            q->mark[v] |= called;
            if (q->mark[v] == FINISHED)
                q->order[q->finished++] = v;
        }
    }
    return w->next != before;
}

/* Zones that moved a step of value v belong to its part of the story. */
static void add_zone_owners(const struct queue *q, uint32_t v, struct decision *d)
{
    const struct container *c = q->c;
    if (!c->next_peek)
        return;
    uint32_t times[2] = {head_from(&c->values[v]), c->values[v].dc};
    for (uint32_t z = 0; z < c->value_count; z++) {
        const struct container_value *zone = &c->values[z];
        if (z == v || !has_zone(zone))
            continue;
        for (int k = 0; k < 2; k++)
            if (head_from(zone) < times[k] && times[k] < zone->dc) {
                container_add_to_core(c, z, d);
                break;
            }
    }
}

static bool run_cursors(struct queue *q, struct decision *d)
{
    bool moved = true;
    while (moved) {
        moved = advance(q, &q->e, E_CALLED);
        moved |= advance(q, &q->d, D_CALLED);
    }
    bool e_done = q->e.next == q->e.count, d_done = q->d.next == q->d.count;
    if (e_done && d_done)
        return true;
    uint32_t v = e_done ? NO_VALUE : q->e.steps[q->e.next] >> 1;
    uint32_t w = d_done ? NO_VALUE : q->d.steps[q->d.next] >> 1;
    if (v == NO_VALUE)
        v = w;
    if (w == NO_VALUE)
        w = v;
    reject_pair(q, v, w, d);
    add_zone_owners(q, v, d);
    if (w != v)
        add_zone_owners(q, w, d);
    return false;
}

/* ------------------------------------------------------------------ the witness */

/* Emits operations as late as their returns allow, always in the finishing order. */
struct emission {
    struct queue *q;
    struct decision *d;
    uint32_t *place;             /* value -> index in q->order */
    uint32_t *peek;              /* value -> its next peek not yet emitted */
    uint8_t *peek_done;          /* per operation; null without peeks */
    uint32_t enqueued, dequeued; /* so many of q->order */
};

static void emit_additions(struct emission *m, uint32_t up_to)
{
    while (m->enqueued < up_to)
        vec_push(&m->d->witness, m->q->c->values[m->q->order[m->enqueued++]].add);
}

static void emit_peeks(struct emission *m, uint32_t v)
{
    const struct container *c = m->q->c;
    if (!c->next_peek)
        return;
    for (; m->peek[v] != NO_OP; m->peek[v] = c->next_peek[m->peek[v]])
        if (!m->peek_done[m->peek[v]]) {
            m->peek_done[m->peek[v]] = 1;
            vec_push(&m->d->witness, m->peek[v]);
        }
}

static void emit_removals(struct emission *m, uint32_t up_to)
{
    for (; m->dequeued < up_to; m->dequeued++) {
        uint32_t v = m->q->order[m->dequeued];
        emit_additions(m, m->dequeued + 1);
        emit_peeks(m, v);
        if (m->q->c->values[v].rem != NO_OP)
            vec_push(&m->d->witness, m->q->c->values[v].rem);
    }
}

static void emit_at_return(struct emission *m, uint32_t op, uint32_t g)
{
    const struct container *c = m->q->c;
    uint32_t v = c->value_of[op];
    if (v == NO_VALUE)
        return;
    uint32_t i = m->place[v];
    if (c->values[v].ar == g)
        emit_additions(m, i + 1);
    if (c->values[v].rem == op) {
        emit_removals(m, i + 1);
    } else if (m->peek_done && c->values[v].add != op && !m->peek_done[op]) {
        emit_removals(m, i);
        emit_additions(m, i + 1);
        m->peek_done[op] = 1;
        vec_push(&m->d->witness, op);
    }
}

/* Numbers of empty answers by the cuts at which they are emitted. */
static struct groups empties_by_cut(const struct queue *q)
{
    uint32_t count = (uint32_t)q->c->empties.len;
    OWNED uint32_t *cut_of = NEW_ARRAY(uint32_t, count);
    for (uint32_t k = 0; k < count; k++)
        cut_of[k] = (uint32_t)sort_find(q->cuts, q->cut_count, q->picks[k]);
    return groups_make(NULL, count, cut_of, q->cut_count);
}

static void emit_all(struct emission *m)
{
    struct queue *q = m->q;
    const struct container *c = q->c;
    const struct order *o = &c->part->order;
    struct groups empties = empties_by_cut(q);
    uint32_t cut = 0, segment_end = 0;
    for (uint32_t g = 0; g < c->events; g++) {
        if (order_event_returns(o->event[g]))
            emit_at_return(m, order_event_op(o->event[g]), g);
        if (cut == q->cut_count || q->cuts[cut] != g)
            continue;
        while (segment_end < q->finished && q->segment[q->order[segment_end]] <= cut)
            segment_end++;
        emit_removals(m, segment_end);
        for (uint32_t k = empties.start[cut]; k < empties.start[cut + 1]; k++)
            vec_push(&m->d->witness, c->empties.data[empties.items[k]]);
        cut++;
    }
    groups_free(&empties);
}

static void build_witness(struct queue *q, struct decision *d)
{
    const struct container *c = q->c;
    struct emission m = {.q = q, .d = d};
    vec_reserve(&d->witness, c->part->order.count);
    m.place = NEW_ARRAY(uint32_t, c->value_count);
    for (uint32_t i = 0; i < q->finished; i++)
        m.place[q->order[i]] = i;
    if (c->next_peek) {
        m.peek_done = NEW_ZEROED(uint8_t, c->part->order.count);
        m.peek = NEW_ARRAY(uint32_t, c->value_count);
        for (uint32_t v = 0; v < c->value_count; v++)
            m.peek[v] = c->values[v].first_peek;
    }
    emit_all(&m);
    free(m.place);
    free(m.peek);
    free(m.peek_done);
}

/* ------------------------------------------------------------------ all together */

static bool solve(struct queue *q, struct decision *d)
{
    const struct container *c = q->c;
    q->picks = NEW_ARRAY(uint32_t, c->empties.len);
    if (!container_pick_empties(c, q->picks, d) || !check_containment(q, d))
        return false;
    make_cuts(q);
    assign_segments(q);
    build_e(q);
    q->mark = NEW_ZEROED(uint8_t, c->value_count);
    q->order = NEW_ARRAY(uint32_t, c->value_count);
    if (!build_d(q, d) || !run_cursors(q, d))
        return false;
    build_witness(q, d);
    return true;
}

static enum verdict solve_queue(struct container *c, struct budget *budget, struct decision *d)
{
    (void)budget;
    struct queue q = {.c = c};
    d->verdict = solve(&q, d) ? VERDICT_HOLDS : VERDICT_VIOLATED;
    free(q.picks);
    free(q.cuts);
    free(q.segment);
    free(q.e.steps);
    free(q.d.steps);
    free(q.mark);
    free(q.order);
    return d->verdict;
}

enum verdict queue_decide(const struct part *p, struct budget *budget, struct decision *d)
{
    return container_decide(p, budget, solve_queue, d);
}
