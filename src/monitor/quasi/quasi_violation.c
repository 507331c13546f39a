/* SPDX-License-Identifier: Apache-2.0 */
/* Why a history is not quasi linearizable. To leave operations out can turn "holds" into "violated" here, so there are no
 * minimal cores: small histories are explained by the general search, of others the explanation names what is wrong and counts. */
#include "base/check.h"
#include "monitor/quasi/quasi.h"
#include "monitor/quasi/quasi_items.h"
#include "monitor/search/search.h"
#include "monitor/core/core.h"
#include "spec/registry.h"
#include "spec/quasi/spec_quasi.h"

#include <string.h>

enum { SHOWN_MOST = 8, SMALL = 40, SEARCH_BYTES = 64 << 20, AGAIN_BYTES = 8 << 20 };

/* --- a second route ------------------------------------------------------------------------------------------------- */

static bool is_addition(const struct part *p, const struct history_op *op)
{
    return p->spec->operations[op->op].args[0];
}

static plumb_value value_of(const struct part *p, const struct history_op *op)
{
    if (!is_addition(p, op))
        return op->pending ? PLUMB_ANY : op->result;
    return plumb_is_array(op->arg) && p->spec->operations[op->op].args[0] == 'p'
               ? plumb_array_item(p->history->values, op->arg, 1)
               : op->arg;
}

/* Counts the value's additions and removals in the history itself. */
static bool recount_value(const struct part *p, const struct quasi_found *f)
{
    plumb_value value = value_of(p, part_op(p, f->op));
    uint32_t adds = 0, removals = 0;
    for (uint32_t i = 0; i < p->order.count; i++) {
        const struct history_op *op = part_op(p, i);
        if (value_of(p, op) == value)
            *(is_addition(p, op) ? &adds : &removals) += 1;
    }
    return removals > adds;
}

/* Places of one operation among those of its kind, by stamps. */
struct places {
    uint32_t low, high, count;
};

static struct places count_places(const struct part *p, const struct history_op *x)
{
    struct places r = {0};
    uint32_t later = 0;
    for (uint32_t i = 0; i < p->order.count; i++) {
        const struct history_op *op = part_op(p, i);
        bool counts = is_addition(p, x) ? is_addition(p, op)
                                        : !is_addition(p, op) && !op->pending && op->result != PLUMB_NONE;
        if (!counts)
            continue;
        r.count++;
        r.low += !op->pending && op->ret < x->call;
        later += !x->pending && op->call > x->ret;
    }
    r.high = r.count - 1 - later;
    return r;
}

static uint32_t apart(struct places a, struct places b)
{
    if (a.low > b.high)
        return a.low - b.high;
    return b.low > a.high ? b.low - a.high : 0;
}

static uint32_t count_removals(const struct part *p)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->order.count; i++) {
        const struct history_op *op = part_op(p, i);
        count += !is_addition(p, op) && !op->pending && op->result != PLUMB_NONE;
    }
    return count;
}

/* Of the one class that moves. */
static uint32_t factor_of(const struct part *p)
{
    const struct quasi_factor *factor = spec_quasi_factor(p->spec);
    uint32_t most = 0;
    for (uint32_t c = 0; c < factor->classes; c++)
        most = factor->most[c] > most ? factor->most[c] : most;
    return most;
}

static bool recount_window(const struct part *p, const struct quasi_found *f)
{
    const struct quasi_factor *factor = spec_quasi_factor(p->spec);
    uint32_t most = factor_of(p), removals = count_removals(p);
    const struct history_op *op = part_op(p, f->op);
    struct places of = count_places(p, op);
    if (!is_addition(p, op)) {
        struct places add = count_places(p, part_op(p, f->other));
        return apart(of, add) > most || (factor->whole && add.low >= removals);
    }
    return of.high + most < removals || (factor->whole && of.high < removals);
}

/* The algorithm with half of its shortcuts: first the half that depends on less. */
static const char *confirm_again(const struct part *p, struct budget *budget)
{
    struct budget own = budget_within(budget, AGAIN_BYTES);
    if (budget->bytes_max && budget->bytes_max < own.bytes_max)
        own.bytes_max = budget->bytes_max;
    enum verdict verdict = quasi_decide_again(p, QUASI_LOOK_AHEAD, &own);
    if (verdict == VERDICT_INCONCLUSIVE)
        verdict = quasi_decide_again(p, QUASI_COMPARE, budget);
    CHECK(verdict != VERDICT_HOLDS); /* two algorithms disagree: never print a verdict then */
    return verdict == VERDICT_VIOLATED ? "it with fewer shortcuts" : NULL;
}

static const char *confirm(const struct part *p, const struct quasi_found *f, struct budget *budget)
{
    switch (f->reason) {
    case QUASI_NEVER_ADDED:
    case QUASI_REMOVED_TWICE: return recount_value(p, f) ? "counting" : NULL;
    case QUASI_WINDOW: return recount_window(p, f) ? "counting by stamps" : NULL;
    case QUASI_STUCK: break;
    }
    return confirm_again(p, budget);
}

/* --- the sentence ------------------------------------------------------------------------------------------------------ */

/* "number 3 of the additions" */
static void say_places(struct text *t, uint32_t low, uint32_t high, const char *among)
{
    if (low >= high)
        text_printf(t, "number %u of the %s", high + 1, among);
    else
        text_printf(t, "number %u to %u of the %s", low + 1, high + 1, among);
}

/* "at least 2 places apart, and 1 is allowed" */
static void say_distance(struct text *t, const struct part *p, const struct quasi_found *f)
{
    uint32_t low = f->low < f->high ? f->low : f->high, high = f->low + f->high - low, most = factor_of(p);
    uint32_t distance = apart((struct places){low, high, 0}, (struct places){f->place_low, f->place_high, 0});
    bool exact = low == high && f->place_low == f->place_high;
    if (distance > most)
        text_printf(t, ": %s%u places apart, and %u %s allowed.", exact ? "" : "at least ", distance, most,
                    most == 1 ? "is" : "are");
    else
        text_printf(t, ": more than %u place%s apart.", most, most == 1 ? "" : "s");
}

static void say_window(struct text *t, const struct part *p, const struct quasi_found *f)
{
    uint32_t low = f->low < f->high ? f->low : f->high;
    why_print(t, p, "In every order %o is ", f->other);
    say_places(t, low, f->high > f->low ? f->high : f->low, "additions");
    why_print(t, p, ", and %o is ", f->op);
    say_places(t, f->place_low, f->place_high, "removals");
    say_distance(t, p, f);
}

/* It was not removed: a removal could only come after all there are, or, in a complete history, not at all. */
static void say_unremoved(struct text *t, const struct part *p, const struct quasi_found *f)
{
    uint32_t removals = f->place_low, most = factor_of(p);
    why_print(
        t, p,
        "What %o added was never removed, and in every order it is number %u of the additions at the latest",
        f->op, f->high + 1);
    if (spec_quasi_factor(p->spec)->whole)
        text_printf(t, "; in a complete history what is removed (%u of them) comes first.", removals);
    else
        text_printf(t, "; its removal would be number %u: at least %u places apart, and %u %s allowed.",
                    removals + 1, removals - f->high, most, most == 1 ? "is" : "are");
}

/* What quasi_found.progress counts. */
static const char *steps_of(const struct part *p)
{
    return spec_quasi_base(p->spec)->kind == PLUMB_KIND_QUEUE ? "removals" : "events";
}

void quasi_add_progress(struct text *t, const struct part *p, const struct decision *d)
{
    if (d->quasi->progress)
        text_printf(t, "; the first %u of %u %s were explained", d->quasi->progress, d->quasi->total,
                    steps_of(p));
}

static void say_stuck(struct text *t, const struct part *p, const struct quasi_found *f)
{
    why_print(
        t, p,
        "No order of all operations has a legal sequence near enough: the longest attempts end before %o, "
        "after %u of %u %s.",
        f->op, f->progress, f->total, steps_of(p));
}

enum { BEYOND = 16, BEYOND_BYTES = 4 << 20 };

/* How far something has to move, expressed by the factor that would do; a few are tried. */
static void say_sufficient(struct text *t, const struct part *p, const struct quasi_found *f,
                           const struct budget *budget)
{
    uint32_t most = factor_of(p);
    bool is_distance = most && (f->reason == QUASI_WINDOW || f->reason == QUASI_STUCK);
    for (uint32_t factor = most + 1; is_distance && factor <= most + BEYOND; factor++) {
        struct budget own = budget_within(budget, BEYOND_BYTES);
        enum verdict verdict = quasi_decide_with(p, factor, &own);
        if (verdict == VERDICT_HOLDS) {
            const char *name = p->spec->operations[quasi_moving_op(p)].name;
            text_printf(t, " With %s=%u it would be quasi linearizable.", name, factor);
        }
        if (verdict != VERDICT_VIOLATED)
            return;
    }
}

static char *sentence(const struct part *p, const struct quasi_found *f, const struct budget *budget)
{
    struct text t = {0};
    if (f->reason == QUASI_WINDOW && f->other == QUASI_NONE) {
        say_unremoved(&t, p, f);
    } else if (f->reason == QUASI_WINDOW) {
        say_window(&t, p, f);
    } else if (f->reason == QUASI_STUCK) {
        say_stuck(&t, p, f);
    } else {
        why_print(&t, p, "%o answers what was %s.", f->op,
                  f->reason == QUASI_NEVER_ADDED ? "never added" : "removed before, and added only once");
    }
    say_sufficient(&t, p, f, budget);
    return text_take(&t);
}

/* --- all together -------------------------------------------------------------------------------------------------------- */

/* What is in it, by calls: all of a short history; else the operations that the sentence names, or those that overlap the one
 * where it ends. */
static void list_shown(const struct part *p, const struct quasi_found *f, uint32_t guilty,
                       struct monitor_violation *v)
{
    for (uint32_t e = 0; e < p->order.event_count; e++) {
        uint32_t i = order_event_op(p->order.event[e]);
        bool overlaps = p->order.call[i] < p->order.ret[f->op] && p->order.ret[i] > p->order.call[f->op];
        bool named = i == f->op || i == guilty ||
                     (f->reason != QUASI_STUCK && f->reason != QUASI_NEVER_ADDED && i == f->other);
        if (order_event_returns(p->order.event[e]))
            continue;
        if (named || !v->excerpt || (f->reason == QUASI_STUCK && overlaps && v->core.len + 1 < SHOWN_MOST)) {
            vec_push(&v->core, part_history_index(p, i));
            vec_push(&v->optional, 0);
        }
    }
}

static char *initial_state(const struct part *p)
{
    void *state = spec_init(p->spec, p->options);
    char *text = violation_print_state(p->spec, state);
    p->spec->destroy(state);
    return text;
}

/* Small histories: the general search has to agree, and explains more. */
static struct monitor_violation *explain_by_search(const struct part *p, const char *found_by,
                                                   struct budget *budget)
{
    struct budget own = budget_within(budget, SEARCH_BYTES);
    struct decision found = {0};
    struct monitor_violation *v = NULL;
    enum verdict verdict = search_decide(p, NULL, &own, &found);
    CHECK(verdict != VERDICT_HOLDS);
    if (verdict == VERDICT_VIOLATED)
        v = violation_build(p, NULL, found_by, &found, &own);
    decision_free(&found);
    return v;
}

/* The answer to wonder about: of an item that was not removed, the last one that was removed instead. */
static uint32_t find_guilty(const struct part *p, const struct quasi_found *f)
{
    uint32_t last = f->op;
    if (f->reason != QUASI_WINDOW || f->other != QUASI_NONE)
        return last;
    for (uint32_t e = 0; e < p->order.event_count; e++) {
        uint32_t i = order_event_op(p->order.event[e]);
        if (order_event_returns(p->order.event[e]) && !is_addition(p, part_op(p, i)) &&
            part_op(p, i)->result != PLUMB_NONE)
            last = i;
    }
    return last;
}

static struct monitor_violation *explain_by_counting(const struct part *p, const char *found_by,
                                                     const char *route, const struct quasi_found *f,
                                                     struct budget *budget)
{
    struct monitor_violation *v = NEW(struct monitor_violation);
    uint32_t guilty = find_guilty(p, f);
    v->key = PLUMB_OK;
    v->found_by = found_by;
    v->confirmed_by = route;
    v->why = sentence(p, f, budget);
    v->guilty = part_history_index(p, guilty);
    v->stuck_op = UINT32_MAX;
    v->initial_state = initial_state(p);
    v->excerpt = p->order.count > SHOWN_MOST;
    list_shown(p, f, guilty, v);
    return v;
}

/* Counting says more than the search does; where that is all there is to say, the explanation is the search's. */
struct monitor_violation *quasi_violation(const struct part *p, const char *found_by,
                                          const struct decision *d, struct budget *budget)
{
    const struct quasi_found *f = d->quasi;
    struct monitor_violation *v = p->order.count <= SMALL ? explain_by_search(p, found_by, budget) : NULL;
    if (v && f->reason == QUASI_STUCK) {
        struct text why = {0};
        text_puts(&why, v->why);
        say_sufficient(&why, p, f, budget);
        free(v->why);
        v->why = text_take(&why);
        return v;
    }
    const char *route = v ? v->confirmed_by : confirm(p, f, budget);
    violation_free(v);
    return route ? explain_by_counting(p, found_by, route, f, budget) : NULL;
}
