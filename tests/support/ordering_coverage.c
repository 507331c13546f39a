/* SPDX-License-Identifier: Apache-2.0 */
#include "support/ordering_coverage.h"

/* Cases that have it. "only by": everything else of the rule would be met. */
#define COVERED(X)                                                           \
    X(most_calls, "as many calls as there may be")                           \
    X(most_points, "a call with as many points as there may be")             \
    X(nested, "calls within calls")                                          \
    X(shared, "calls that share points")                                     \
    X(effects_first, "calls that share points and do not end as they began") \
    X(pending, "calls without result, with points")                          \
    X(left_out, "calls without result or points")                            \
    X(without_points, "calls with result, without points")                   \
    X(locations, "points at several locations")                              \
    X(call_locations, "a call with points at several locations")             \
    X(reads, "two reads of one write as points")                             \
    X(updates, "points that are updates")                                    \
    X(cycles, "a cycle of two calls")                                        \
    X(long_cycles, "a longer cycle")                                         \
    X(total, "one order")                                                    \
    X(legal, "several orders, all legal")                                    \
    X(undetermined, "several orders, some legal")                            \
    X(illegal, "no legal order")                                             \
    X(fails_pre, "a precondition that fails")                                \
    X(fails_post, "a postcondition that fails")                              \
    X(broken, "a broken rule and legal orders")                              \
    X(kept, "a rule that is kept between threads")                           \
    X(transitive, "a rule about calls that are ordered by others only")      \
    X(by_id, "a rule that is not broken only by IDs")                        \
    X(by_object, "a rule that is not broken only by objects")                \
    X(by_condition, "a rule that is not broken only by conditions")          \
    X(by_result, "a rule that is not broken only by a call without result")

enum {
#define NAME(name, text) name,
    COVERED(NAME)
#undef NAME
        KINDS
};

static const char *const texts[] = {
#define TEXT(name, text) text,
    COVERED(TEXT)
#undef TEXT
};

static uint64_t counts[KINDS], cases;
static bool has[KINDS]; /* of the case */

/* ---- calls and points ---- */

static bool is_within(const struct ordering_span *a, const struct ordering_span *b)
{
    return a->thread == b->thread && b->begin_number < a->begin_number && a->end_number < b->end_number;
}

static void look_at_call(const struct ordering_case *c, uint32_t k)
{
    const struct case_call *call = &c->calls[k];
    has[most_points] |= call->event_count == CASE_POINTS;
    has[pending] |= !call->completed && call->event_count > 0;
    has[left_out] |= !call->completed && call->event_count == 0;
    has[without_points] |= call->completed && call->event_count == 0;
    for (uint32_t p = 0; p < call->event_count; p++)
        has[updates] |= (c->g->events[call->events[p]].flags & GRAPH_UPDATE) != 0;
}

static void look_at_points(const struct ordering_case *c, uint32_t a, uint32_t b)
{
    for (uint32_t p = 0; p < c->calls[a].event_count; p++)
        for (uint32_t r = 0; r < c->calls[b].event_count; r++) {
            uint32_t x = c->calls[a].events[p], y = c->calls[b].events[r];
            const struct graph_event *one = &c->g->events[x], *two = &c->g->events[y];
            has[locations] |= one->location != two->location;
            has[call_locations] |= a == b && one->location != two->location;
            has[reads] |= a != b && x != y && one->type == GRAPH_READ && two->type == GRAPH_READ &&
                          !(one->flags & GRAPH_UPDATE) && !(two->flags & GRAPH_UPDATE) && one->rf == two->rf;
        }
}

static void look_at_calls(const struct ordering_case *c, const struct ordering_expected *x)
{
    has[most_calls] = c->count == CASE_CALLS;
    for (uint32_t a = 0; a < c->count; a++) {
        look_at_call(c, a);
        for (uint32_t b = 0; b < c->count; b++) {
            const struct ordering_span *one = &c->calls[a].span, *two = &c->calls[b].span;
            bool share = a < b && x->node_of[a] != CASE_CALLS && x->node_of[a] == x->node_of[b];
            look_at_points(c, a, b);
            has[nested] |= is_within(one, two);
            has[shared] |= share;
            has[effects_first] |= share && one->end_number > two->end_number;
        }
    }
}

/* ---- histories ---- */

static bool is_total(const struct ordering_expected *x)
{
    for (uint32_t a = 0; a < x->node_count; a++)
        for (uint32_t b = 0; b < a; b++)
            if (!x->closure[a][b] && !x->closure[b][a])
                return false;
    return true;
}

static void look_at_histories(const struct ordering_expected *x)
{
    bool several = !is_total(x);
    has[total] = !several && x->node_count > 1;
    has[legal] = several && x->legal && !x->first.exists;
    has[undetermined] = x->legal && x->first.exists;
    has[illegal] = !x->legal;
    has[fails_pre] = x->first.exists && x->first.failed_pre;
    has[fails_post] = x->first.exists && !x->first.failed_pre;
    has[broken] = x->broken && x->legal;
}

/* ---- rules ---- */

enum { ID = 1, OBJECT = 2, CONDITION = 4, RESULT = 8 };

/* What keeps the calls, in this order, from being under the rule, as bits. */
static unsigned reasons_against(const struct ordering_rule *r, const struct case_call *a,
                                const struct case_call *b)
{
    bool from = !r->from_condition || (a->conditions & r->from_condition);
    bool to = !r->to_condition || (b->conditions & r->to_condition);
    return (a->id != b->id ? ID : 0) | (a->object != b->object ? OBJECT : 0) | (from && to ? 0 : CONDITION) |
           (a->completed && b->completed ? 0 : RESULT);
}

static void look_at_rule(const struct ordering_case *c, const struct ordering_expected *x,
                         const struct ordering_rule *r, uint32_t a, uint32_t b)
{
    uint32_t from = x->node_of[a], to = x->node_of[b];
    const struct case_call *one = &c->calls[a], *two = &c->calls[b];
    if (from == CASE_CALLS || to == CASE_CALLS || !x->closure[from][to] || one->interface != r->from ||
        two->interface != r->to)
        return;
    unsigned reasons = reasons_against(r, one, two);
    bool before = x->happens_before[a] >> b & 1;
    has[kept] |= reasons == 0 && before && one->span.thread != two->span.thread;
    has[transitive] |= reasons == 0 && !x->edge[from][to];
    has[by_id] |= reasons == ID && !before;
    has[by_object] |= reasons == OBJECT && !before;
    has[by_condition] |= reasons == CONDITION && !before;
    has[by_result] |= reasons == RESULT && !before;
}

static void look_at_rules(const struct ordering_case *c, const struct ordering_expected *x)
{
    for (uint32_t r = 0; r < c->rule_count; r++)
        for (uint32_t a = 0; a < c->count; a++)
            for (uint32_t b = 0; b < c->count; b++)
                look_at_rule(c, x, &c->rules[r], a, b);
}

/* ---- all of it ---- */

void ordering_coverage_add(const struct ordering_case *c, const struct ordering_expected *x)
{
    for (uint32_t k = 0; k < KINDS; k++)
        has[k] = false;
    look_at_calls(c, x);
    has[cycles] = x->cycle_length == 2;
    has[long_cycles] = x->cycle_length > 2;
    if (x->cycle_length == 0) {
        look_at_histories(x);
        look_at_rules(c, x);
    }
    for (uint32_t k = 0; k < KINDS; k++)
        counts[k] += has[k];
    cases++;
}

void ordering_coverage_print(FILE *to)
{
    fprintf(to, "%9lu cases, of which there are with\n", cases);
    for (uint32_t k = 0; k < KINDS; k++)
        fprintf(to, "%9lu %s\n", counts[k], texts[k]);
}

const char *ordering_coverage_missing(void)
{
    for (uint32_t k = 0; k < KINDS; k++)
        if (counts[k] == 0)
            return texts[k];
    return NULL;
}
