/* SPDX-License-Identifier: Apache-2.0 */
/* Deques with distinct values. No polynomial algorithm is known; what is exact and makes long histories
 * feasible (docs/internals/monitor/containers.md): values that enter and leave at the same end without having to stay
 * inside are left out, empty answers are checked against the free gaps, and the rest falls apart at free gaps into
 * segments that the general search decides one by one, each from the empty deque. */
#include "monitor/container/container.h"
#include "monitor/container/deque_ahead.h"
#include "monitor/container/deque_near.h"
#include "monitor/decider_tools.h"
#include "monitor/deciders.h"
#include "monitor/search/search.h"

#include "base/check.h"
#include "base/sort.h"

#include <string.h>

struct deque {
    const struct container *c;
    struct budget *budget;
    struct deque_ahead *ahead;
    uint32_t *picks;
    uint32_t *segment;      /* per value; LOOSE: left out */
    VEC(uint32_t) opens_at; /* per segment: the last gap at which it can still be empty */
};

#define LOOSE UINT32_MAX

static bool same_end(const struct container *c, const struct container_value *v)
{
    if (v->rem == NO_OP)
        return false;
    uint64_t front = c->part->spec->at_front;
    return (front >> part_op(c->part, v->add)->op & 1) == (front >> part_op(c->part, v->rem)->op & 1);
}

static bool is_loose(const struct container *c, uint32_t v)
{
    return c->values[v].ar >= c->values[v].dc && same_end(c, &c->values[v]);
}

/* A segment ends as soon as nothing is certainly inside; a value belongs to the segment of its ar. */
static void number_segments(struct deque *q)
{
    const struct container *c = q->c;
    int64_t cover = 0;
    bool open = false;
    q->segment = NEW_ARRAY(uint32_t, c->value_count);
    for (uint32_t g = 0; g < c->events; g++) {
        uint32_t v = c->value_of[order_event_op(c->part->order.event[g])];
        if (v == NO_VALUE)
            continue;
        const struct container_value *value = &c->values[v];
        if (value->ar == g && !is_loose(c, v) && !open) {
            vec_push(&q->opens_at, g - 1);
            open = true;
        }
        if (value->ar == g)
            q->segment[v] = is_loose(c, v) ? LOOSE : (uint32_t)q->opens_at.len - 1;
        if (value->ar < value->dc)
            cover += (value->ar == g) - (value->dc == g);
        open &= cover != 0;
    }
}

/* ------------------------------------------------------------------ segments */

static uint32_t collect_segment(const struct deque *q, const uint32_t *values, uint32_t count, uint32_t *ops)
{
    struct decision list = {0};
    for (uint32_t k = 0; k < count; k++)
        container_add_to_core(q->c, values[k], &list);
    uint32_t total = (uint32_t)list.core.len;
    OWNED uint64_t *keys = NEW_ARRAY(uint64_t, total);
    OWNED uint32_t *order = NEW_ARRAY(uint32_t, total);
    for (uint32_t k = 0; k < total; k++) {
        keys[k] = list.core.data[k];
        order[k] = k;
    }
    sort_by_key(order, total, keys);
    for (uint32_t k = 0; k < total; k++)
        ops[k] = (uint32_t)keys[order[k]];
    decision_free(&list);
    return total;
}

struct segment {
    uint32_t *ops; /* part indices of the container */
    uint32_t total;
    struct part part;
};

static void take_whole_core(const struct segment *s, struct decision *d)
{
    vec_clear(&d->core);
    for (uint32_t k = 0; k < s->total; k++)
        vec_push(&d->core, k); /* whole values: shrinking will find out which matter */
}

/* A few orders at a time come upon a legal one soon, if there is one; all of them are tried last. */
static enum verdict search_segment(const struct deque *q, const struct segment *s, struct decision *d)
{
    static const size_t beams[] = {16, 256};
    enum verdict verdict = VERDICT_NONE;
    for (size_t k = 0; k < sizeof beams / sizeof *beams && verdict == VERDICT_NONE; k++) {
        struct search_way way = {.beam = beams[k]};
        verdict = search_run(&s->part, NULL, q->budget, d, &way);
        if (verdict == VERDICT_NONE && k == 0 && deque_find_near(q->c, &s->part, s->ops, q->budget, d))
            return VERDICT_VIOLATED;
    }
    if (verdict == VERDICT_NONE)
        verdict = search_decide(&s->part, NULL, q->budget, d);
    if (verdict == VERDICT_VIOLATED)
        take_whole_core(s, d);
    return verdict;
}

static enum verdict decide_segment(struct deque *q, const uint32_t *values, uint32_t count,
                                   struct decision *d)
{
    OWNED uint32_t *ops = NEW_ARRAY(uint32_t, 2 * (size_t)count);
    struct segment s = {ops, collect_segment(q, values, count, ops), {0}};
    struct decision own = {0};
    s.part = part_restrict(q->c->part, ops, s.total);
    s.part.spec = deque_ahead_spec(q->ahead);
    enum verdict verdict = search_segment(q, &s, &own);
    for (size_t k = 0; verdict == VERDICT_HOLDS && k < own.witness.len; k++)
        vec_push(&d->witness, ops[own.witness.data[k]]);
    for (size_t k = 0; verdict == VERDICT_VIOLATED && k < own.core.len; k++)
        vec_push(&d->core, ops[own.core.data[k]]);
    d->legal_events = own.legal_events;
    decision_free(&own);
    part_free(&s.part);
    return verdict;
}

/* ------------------------------------------------------------------ the witness */

/* Blocks that stand alone: empty answers and loose values, each at its gap. */
struct block {
    uint32_t gap, first, second; /* second: NO_OP for an empty answer */
};

typedef VEC(struct block) block_list;

static int compare_blocks(const void *a, const void *b)
{
    const struct block *x = a, *y = b;
    return x->gap != y->gap ? (x->gap > y->gap) - (x->gap < y->gap)
                            : (x->first > y->first) - (x->first < y->first);
}

static block_list collect_blocks(const struct deque *q)
{
    const struct container *c = q->c;
    block_list blocks = {0};
    for (uint32_t k = 0; k < c->empties.len; k++)
        vec_push(&blocks, ((struct block){q->picks[k], c->empties.data[k], NO_OP}));
    for (uint32_t v = 0; v < c->value_count; v++)
        if (q->segment[v] == LOOSE)
            vec_push(&blocks, ((struct block){c->values[v].dc, c->values[v].add, c->values[v].rem}));
    if (blocks.len)
        qsort(blocks.data, blocks.len, sizeof *blocks.data, compare_blocks);
    return blocks;
}

static void put_block(struct decision *d, const struct block *b)
{
    vec_push(&d->witness, b->first);
    if (b->second != NO_OP)
        vec_push(&d->witness, b->second);
}

/* Merges the blocks into the order of the segments. Every operation gets the earliest moment that its order
 * allows, but none before its segment opens; at equal gaps: operations of earlier segments, blocks, later
 * segments. */
static void merge_blocks(const struct deque *q, struct decision *d, const uint32_t *segment_end)
{
    OWNED block_list blocks = collect_blocks(q);
    uint32_t *order = d->witness.data;
    size_t count = d->witness.len, next = 0;
    uint64_t latest_call = 0;
    uint32_t s = 0;
    d->witness.data = NULL;
    d->witness.len = d->witness.cap = 0;
    for (size_t k = 0; k < count; k++) {
        while (k >= segment_end[s])
            s++;
        CHECK(s < q->opens_at.len && q->opens_at.data);
        uint32_t call = q->c->part->order.call[order[k]];
        latest_call = call > latest_call ? call : latest_call;
        uint64_t moment = 4 * latest_call, opening = 4 * (uint64_t)q->opens_at.data[s] + 2;
        moment = opening > moment ? opening : moment;
        for (; next < blocks.len && 4 * (uint64_t)blocks.data[next].gap + 1 < moment; next++)
            put_block(d, &blocks.data[next]);
        vec_push(&d->witness, order[k]);
    }
    for (; next < blocks.len; next++)
        put_block(d, &blocks.data[next]);
    free(order);
}

static enum verdict decide_segments(struct deque *q, struct decision *d)
{
    struct groups values = groups_make(NULL, q->c->value_count, q->segment, (uint32_t)q->opens_at.len);
    OWNED uint32_t *segment_end = NEW_ARRAY(uint32_t, q->opens_at.len);
    enum verdict verdict = VERDICT_HOLDS;
    for (uint32_t s = 0; s < q->opens_at.len && verdict == VERDICT_HOLDS; s++) {
        verdict = decide_segment(q, values.items + values.start[s], values.start[s + 1] - values.start[s], d);
        segment_end[s] = (uint32_t)d->witness.len;
    }
    if (verdict == VERDICT_HOLDS)
        merge_blocks(q, d, segment_end);
    groups_free(&values);
    return verdict;
}

static enum verdict solve_deque(struct container *c, struct budget *budget, struct decision *d)
{
    struct deque q = {
        .c = c, .budget = budget, .ahead = deque_ahead_make(c), .picks = NEW_ARRAY(uint32_t, c->empties.len)};
    bool is_plain = deque_ahead_spec(q.ahead) == c->part->spec;
    d->verdict = VERDICT_VIOLATED;
    if (is_plain && c->pending_removals.len) {
        d->why = "a removal is pending";
        d->verdict = VERDICT_NONE;
    } else if (container_pick_empties(c, q.picks, d)) {
        number_segments(&q);
        d->verdict = decide_segments(&q, d);
    }
    deque_ahead_free(q.ahead);
    free(q.picks);
    free(q.segment);
    vec_free(&q.opens_at);
    return d->verdict;
}

enum verdict deque_decide(const struct part *p, struct budget *budget, struct decision *d)
{
    return container_decide(p, budget, solve_deque, d);
}
