/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks with distinct values in O(n log n) (docs/internals/monitor/stack.md).
 *
 * A gap that no inner interval covers is a moment at which the stack can be empty: every operation open there is
 * satisfied. A value all of whose operations are satisfied lies at the bottom of a stretch between two such
 * gaps; taking it away uncovers new gaps for the values above it. When nothing can be taken
 * away any more, the values that are left have no legal order. */
#include "monitor/container/cover.h"
#include "monitor/deciders.h"
#include "monitor/container/gaps.h"

#include <string.h>

struct stack {
    const struct container *c;
    struct gaps gaps;
    struct container_value *values; /* times in gaps */
    struct cover cover;
    struct stab zero_stab; /* operations waiting for a zero gap */
    struct stab park_stab; /* peeks waiting for a gap that only their own value covers */
    struct gap_set zeros;
    struct gap_set parked;  /* gaps covered by exactly one value; only with peeks */
    uint32_t *unsatisfied;  /* per value: how many of its operations wait; DONE when taken away */
    uint32_t *satisfied_at; /* per operation: gap, or NO_GAP */
    VEC(uint32_t) ready;
    uint32_t *g, *h;   /* per value: zero gaps of its push and of its pop */
    uint32_t *by_rank; /* values in the order in which they were taken away */
    uint32_t taken;
};

#define DROPPED (UINT32_MAX - 1) /* can be pushed and popped back to back */
#define DONE UINT32_MAX

static bool is_dropped(const struct stack *s, uint32_t v)
{
    return s->values[v].ar > s->values[v].dc;
}

/* Certainly inside, but only between two neighbouring gaps: pushed last in one, popped first in the next. */
static bool is_fleeting(const struct stack *s, uint32_t v)
{
    return s->values[v].ar == s->values[v].dc;
}

/* ------------------------------------------------------------------ satisfaction */

static void satisfy(void *context, uint32_t op, uint32_t gap)
{
    struct stack *s = context;
    if (s->satisfied_at[op] != NO_GAP)
        return;
    s->satisfied_at[op] = gap;
    uint32_t v = s->c->value_of[op];
    if (--s->unsatisfied[v] == 0)
        vec_push(&s->ready, v);
}

static void mark_zero(struct stack *s, uint32_t gap)
{
    gap_set_add(&s->zeros, gap);
    stab_gap(&s->zero_stab, gap, satisfy, s);
}

/* Only the own value covers a parked gap, so peeks of it are satisfied there. */
static void park(struct stack *s, uint32_t gap)
{
    gap_set_add(&s->parked, gap);
    stab_gap(&s->park_stab, gap, satisfy, s);
}

static void settle_gaps(struct stack *s)
{
    int32_t lowest_interesting = s->c->next_peek ? 1 : 0;
    while (cover_least(&s->cover) <= lowest_interesting) {
        int32_t count = cover_least(&s->cover);
        uint32_t gap = cover_hide_least(&s->cover);
        if (count == 0)
            mark_zero(s, gap);
        else
            park(s, gap);
    }
}

static void take_away(struct stack *s, uint32_t v)
{
    const struct container_value *value = &s->values[v];
    s->g[v] = gap_set_last(&s->zeros, value->ar);
    s->h[v] = value->rem == NO_OP ? s->gaps.count : gap_set_next(&s->zeros, value->dc);
    s->by_rank[s->taken++] = v;
    s->unsatisfied[v] = DONE;
    cover_remove(&s->cover, value->ar, value->dc);
    if (!s->c->next_peek)
        return;
    for (uint32_t gap = gap_set_next(&s->parked, value->ar); gap != NO_GAP && gap < value->dc;
         gap = gap_set_next(&s->parked, gap)) {
        gap_set_remove(&s->parked, gap);
        mark_zero(s, gap);
    }
}

/* ------------------------------------------------------------------ preparation */

static uint32_t event_gap(const struct stack *s, uint32_t position)
{
    return gap_index(&s->gaps, position, s->c->events);
}

typedef VEC(struct stab_interval) interval_list;

static void await(interval_list *list, uint32_t from, uint32_t to, uint32_t op)
{
    struct stab_interval x = {from, to, op};
    vec_push(list, x);
}

static void collect_peeks(struct stack *s, uint32_t v, interval_list *zero, interval_list *own)
{
    const struct order *o = &s->c->part->order;
    const struct container_value *value = &s->values[v];
    for (uint32_t x = value->first_peek; x != NO_OP; x = s->c->next_peek[x]) {
        uint32_t from = event_gap(s, o->call[x]), to = event_gap(s, o->ret[x]);
        await(zero, from, to, x);
        s->unsatisfied[v]++;
        from = from > value->ar ? from : value->ar;
        to = to < value->dc ? to : value->dc;
        if (from < to)
            await(own, from, to, x);
    }
}

static void collect_waiting(struct stack *s)
{
    OWNED interval_list zero = {0}, own = {0};
    for (uint32_t v = 0; v < s->c->value_count; v++) {
        const struct container_value *value = &s->values[v];
        if (is_dropped(s, v) || is_fleeting(s, v)) {
            s->unsatisfied[v] = DROPPED;
            continue;
        }
        s->unsatisfied[v] = 1 + (value->rem != NO_OP);
        await(&zero, value->ac, value->ar, value->add);
        if (value->rem != NO_OP) /* the removal after the end is satisfied at END */
            await(&zero, value->dc, value->dr > s->gaps.count ? s->gaps.count : value->dr, value->rem);
        collect_peeks(s, v, &zero, &own);
    }
    stab_create(&s->zero_stab, s->gaps.count, zero.data, (uint32_t)zero.len);
    stab_create(&s->park_stab, s->gaps.count, own.data, (uint32_t)own.len);
}

static void count_cover(struct stack *s)
{
    OWNED int32_t *counts = NEW_ZEROED(int32_t, s->gaps.count + 1);
    for (uint32_t v = 0; v < s->c->value_count; v++) {
        if (s->unsatisfied[v] == DROPPED)
            continue;
        counts[s->values[v].ar]++;
        counts[s->values[v].dc]--;
    }
    for (uint32_t gap = 1; gap < s->gaps.count; gap++)
        counts[gap] += counts[gap - 1];
    cover_create(&s->cover, counts, s->gaps.count);
}

static void prepare(struct stack *s)
{
    uint32_t values = s->c->value_count, ops = s->c->part->order.count;
    gaps_find(&s->gaps, &s->c->part->order);
    s->values = NEW_ARRAY(struct container_value, values);
    gaps_convert_values(&s->gaps, s->c, s->values);
    s->unsatisfied = NEW_ARRAY(uint32_t, values);
    s->g = NEW_ARRAY(uint32_t, values);
    s->h = NEW_ARRAY(uint32_t, values);
    s->by_rank = NEW_ARRAY(uint32_t, values);
    s->satisfied_at = NEW_ARRAY(uint32_t, ops);
    memset(s->satisfied_at, 0xff, sizeof(uint32_t) * ops);
    gap_set_create(&s->zeros, s->gaps.count + 1);
    gap_set_create(&s->parked, s->gaps.count + 1);
    collect_waiting(s);
    count_cover(s);
}

/* ------------------------------------------------------------------ the witness */

/* Lists of operations by gap, filled in two passes: count, then write. */
struct schedule {
    const struct stack *s;
    const uint32_t *picks;
    uint32_t *place; /* per gap: next free place in the witness */
    uint32_t *out;   /* null while counting */
};

static void put(struct schedule *p, uint32_t gap, uint32_t op)
{
    if (p->out)
        p->out[p->place[gap]] = op;
    p->place[gap]++;
}

static void put_peeks(struct schedule *p, uint32_t v, bool late)
{
    const struct stack *s = p->s;
    for (uint32_t x = s->values[v].first_peek; x != NO_OP; x = s->c->next_peek[x]) {
        if (late && s->satisfied_at[x] >= s->h[v])
            put(p, s->h[v], x);
        if (!late && s->satisfied_at[x] <= s->g[v])
            put(p, s->g[v], x);
    }
}

static void put_pops(struct schedule *p)
{
    const struct stack *s = p->s;
    for (uint32_t k = s->taken; k > 0; k--) {
        uint32_t v = s->by_rank[k - 1];
        if (s->values[v].rem == NO_OP)
            continue;
        put_peeks(p, v, true);
        put(p, s->h[v], s->values[v].rem);
    }
}

/* Operations at moments of their own: empties, peeks in the middle, dropped values. */
static void put_lone(struct schedule *p)
{
    const struct stack *s = p->s;
    for (uint32_t k = 0; k < s->c->empties.len; k++)
        put(p, event_gap(s, p->picks[k]), s->c->empties.data[k]);
    for (uint32_t v = 0; v < s->c->value_count; v++) {
        const struct container_value *value = &s->values[v];
        bool dropped = is_dropped(s, v);
        if (dropped)
            put(p, value->dc, value->add);
        for (uint32_t x = value->first_peek; x != NO_OP; x = s->c->next_peek[x])
            if (dropped)
                put(p, value->dc, x);
            else if (s->satisfied_at[x] > s->g[v] && s->satisfied_at[x] < s->h[v])
                put(p, s->satisfied_at[x], x);
        if (dropped && value->rem != NO_OP)
            put(p, value->dc, value->rem);
    }
}

static void put_pushes(struct schedule *p)
{
    const struct stack *s = p->s;
    for (uint32_t k = 0; k < s->taken; k++) {
        uint32_t v = s->by_rank[k];
        put(p, s->g[v], s->values[v].add);
        put_peeks(p, v, false);
    }
}

static void put_all(struct schedule *p)
{
    put_pops(p);
    put_lone(p);
    put_pushes(p);
}

static void build_witness(const struct stack *s, const uint32_t *picks, struct decision *d)
{
    uint32_t gaps = s->gaps.count;
    struct schedule p = {.s = s, .picks = picks, .place = NEW_ZEROED(uint32_t, gaps + 1)};
    put_all(&p);
    uint32_t sum = 0;
    for (uint32_t gap = 0; gap <= gaps; gap++) {
        uint32_t size = p.place[gap];
        p.place[gap] = sum;
        sum += size;
    }
    vec_reserve(&d->witness, sum);
    d->witness.len = sum;
    p.out = d->witness.data;
    put_all(&p);
    free(p.place);
}

/* ------------------------------------------------------------------ the core */

static bool is_left(const struct stack *s, uint32_t v)
{
    return s->unsatisfied[v] != DONE && s->unsatisfied[v] != DROPPED;
}

/* Values left over, by the stretch between zero gaps in which they lie; the smallest stretch shows it best. */
static uint32_t choose_stretch(const struct stack *s, uint32_t *stretch_of)
{
    OWNED uint32_t *size = NEW_ZEROED(uint32_t, s->gaps.count + 1);
    uint32_t best = NO_GAP;
    for (uint32_t v = 0; v < s->c->value_count; v++) {
        if (!is_left(s, v))
            continue;
        uint32_t zero = gap_set_last(&s->zeros, s->values[v].ar);
        stretch_of[v] = zero == NO_GAP ? 0 : zero + 1;
        size[stretch_of[v]]++;
    }
    for (uint32_t gap = 0; gap <= s->gaps.count; gap++)
        if (size[gap] && (best == NO_GAP || size[gap] < size[best]))
            best = gap;
    return best;
}

/* Without peeks a chain of intervals from the first push to the last pop of the stretch is enough. */
static void add_chain(const struct stack *s, const uint32_t *stretch_of, uint32_t stretch, struct decision *d)
{
    uint32_t first = UINT32_MAX, last = 0, gaps = s->gaps.count;
    uint32_t *reach = NEW_ARRAY(uint32_t, gaps + 1); /* value that begins here and reaches furthest */
    memset(reach, 0xff, sizeof(uint32_t) * (gaps + 1));
    for (uint32_t v = 0; v < s->c->value_count; v++) {
        if (!is_left(s, v) || stretch_of[v] != stretch)
            continue;
        const struct container_value *value = &s->values[v];
        first = value->ar < first ? value->ar : first;
        last = value->dc > last ? value->dc : last;
        if (reach[value->ar] == NO_VALUE || s->values[reach[value->ar]].dc < value->dc)
            reach[value->ar] = v;
    }
    uint32_t best = NO_VALUE, reached = first;
    for (uint32_t gap = first; gap < last && reached < last; gap++) {
        if (reach[gap] != NO_VALUE && (best == NO_VALUE || s->values[reach[gap]].dc > s->values[best].dc))
            best = reach[gap];
        if (gap == reached) {
            container_add_to_core(s->c, best, d);
            reached = s->values[best].dc;
        }
    }
    free(reach);
}

static void build_core(const struct stack *s, struct decision *d)
{
    OWNED uint32_t *stretch_of = NEW_ARRAY(uint32_t, s->c->value_count);
    uint32_t stretch = choose_stretch(s, stretch_of);
    if (!s->c->next_peek) {
        add_chain(s, stretch_of, stretch, d);
    } else {
        for (uint32_t v = 0; v < s->c->value_count; v++)
            if (is_left(s, v) && stretch_of[v] == stretch)
                container_add_to_core(s->c, v, d);
    }
}

/* ------------------------------------------------------------------ all together */

static void run(struct stack *s)
{
    settle_gaps(s);
    while (s->ready.len) {
        take_away(s, vec_pop(&s->ready));
        settle_gaps(s);
    }
}

static bool all_taken(const struct stack *s)
{
    for (uint32_t v = 0; v < s->c->value_count; v++)
        if (is_left(s, v))
            return false;
    return true;
}

/* Ranked above everything else. */
static void place_fleeting(struct stack *s)
{
    const struct order *o = &s->c->part->order;
    for (uint32_t v = 0; v < s->c->value_count; v++) {
        if (!is_fleeting(s, v))
            continue;
        s->g[v] = s->values[v].ar - 1;
        s->h[v] = s->values[v].dc;
        s->by_rank[s->taken++] = v;
        for (uint32_t x = s->values[v].first_peek; x != NO_OP; x = s->c->next_peek[x])
            s->satisfied_at[x] = event_gap(s, o->call[x]) <= s->g[v] ? s->g[v] : s->h[v];
    }
}

static bool solve(struct stack *s, struct decision *d)
{
    OWNED uint32_t *picks = NEW_ARRAY(uint32_t, s->c->empties.len);
    bool holds = container_pick_empties(s->c, picks, d);
    if (holds) {
        prepare(s);
        run(s);
        holds = all_taken(s);
        if (holds) {
            place_fleeting(s);
            build_witness(s, picks, d);
        } else {
            build_core(s, d);
        }
    }
    return holds;
}

static void stack_free(struct stack *s)
{
    if (!s->values)
        return;
    gaps_free(&s->gaps);
    cover_free(&s->cover);
    stab_free(&s->zero_stab);
    stab_free(&s->park_stab);
    gap_set_free(&s->zeros);
    gap_set_free(&s->parked);
    vec_free(&s->ready);
    free(s->values);
    free(s->unsatisfied);
    free(s->satisfied_at);
    free(s->g);
    free(s->h);
    free(s->by_rank);
}

static enum verdict solve_stack(struct container *c, struct budget *budget, struct decision *d)
{
    (void)budget;
    struct stack s = {.c = c};
    d->verdict = solve(&s, d) ? VERDICT_HOLDS : VERDICT_VIOLATED;
    stack_free(&s);
    return d->verdict;
}

enum verdict stack_decide(const struct part *p, struct budget *budget, struct decision *d)
{
    return container_decide(p, budget, solve_stack, d);
}
