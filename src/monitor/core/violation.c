/* SPDX-License-Identifier: Apache-2.0 */

#include "base/check.h"
#include "base/sort.h"
#include "history/value_text.h"
#include "monitor/core/core.h"
#include "monitor/plain.h"
#include "monitor/search/search.h"
#include "monitor/container/container.h"
#include "spec/registry.h"
#include "spec/quasi/spec_quasi.h"

#include <string.h>

/* ------------------------------------------------------------------ the second route */

static bool confirmed(enum verdict verdict)
{
    CHECK(verdict != VERDICT_HOLDS); /* two algorithms disagree: never print a verdict then */
    return verdict == VERDICT_VIOLATED;
}

static bool confirm_by_search(const struct part *core, struct budget *budget)
{
    struct decision d = {0};
    enum verdict verdict = search_decide(core, NULL, budget, &d);
    decision_free(&d);
    return confirmed(verdict);
}

static bool confirm_by(decider *second, const struct part *core, struct budget *budget)
{
    struct decision d = {0};
    enum verdict verdict = second(core, budget, &d);
    decision_free(&d);
    return verdict != VERDICT_NONE && confirmed(verdict);
}

/* With reads of all that is inside: the extended half. */
static bool is_set(const struct part *p)
{
    const struct plumb_spec *basic = spec_basic(p->spec);
    return basic && basic->kind == PLUMB_KIND_SET;
}

static bool confirm_by_second_stack_algorithm(const struct part *core, struct budget *budget)
{
    return core->spec->kind == PLUMB_KIND_STACK && confirm_by(stack_confirm, core, budget);
}

/* A long core of a stack overlaps with itself everywhere: the search would not come back. */
enum { SHORT_CORE = 8, LONG_CORE = 200, CONFIRM_BYTES = 64 << 20 };

/* Name of the route that confirmed a core found by a fast algorithm, or null. */
static const char *confirm_core(const struct part *core, struct budget *budget)
{
    struct shortage shortage = {0};
    if (spec_is_container(core->spec) && shortage_find(core, &shortage) && core->order.count > SHORT_CORE)
        return "counting";
    if (core->order.count > LONG_CORE && confirm_by_second_stack_algorithm(core, budget))
        return "the second stack algorithm";
    if (core->order.count > SHORT_CORE && core->spec->kind == PLUMB_KIND_KV &&
        confirm_by(appends_confirm, core, budget))
        return "closing precedences";
    if (core->order.count > SHORT_CORE && is_set(core) && confirm_by(set_reads_confirm, core, budget))
        return "comparing reads";
    struct budget own = budget_within(budget, CONFIRM_BYTES);
    if (budget->bytes_max && budget->bytes_max < own.bytes_max)
        own.bytes_max = budget->bytes_max;
    if (confirm_by_search(core, &own))
        return "general search";
    if (confirm_by_second_stack_algorithm(core, budget))
        return "the second stack algorithm";
    return confirm_by_search(core, budget) ? "general search" : NULL;
}

/* ------------------------------------------------------------------ the longest legal order */

char *violation_print_state(const struct plumb_spec *spec, const void *state)
{
    char buffer[512];
    spec->print(state, buffer, sizeof buffer);
    return base_strndup(buffer, strlen(buffer));
}

enum { ANSWERS_MOST = 4 };

/* What the specification would answer instead: a few of its possible answers. False: it would accept the operation. */
static bool find_answers(const struct part *core, const void *state, uint32_t stuck, monitor_answers *answers,
                         bool *is_near)
{
    struct plumb_call call = part_call(core, stuck);
    void *copy = core->spec->clone(state);
    bool accepted = core->spec->step(copy, &call, 0, NULL);
    core->spec->destroy(copy);
    call.result = PLUMB_ANY;
    *is_near = true;
    for (unsigned choice = 0; !accepted && choice < ANSWERS_MOST; choice++) {
        plumb_value answer = PLUMB_OK;
        copy = core->spec->clone(state);
        bool possible = core->spec->step(copy, &call, choice, &answer);
        core->spec->destroy(copy);
        if (!possible)
            break;
        if (answer == PLUMB_ANY)
            *is_near = false;
        else
            vec_push(answers, answer);
    }
    return !accepted;
}

static void add_answer(struct text *t, const struct part *core, plumb_value answer)
{
    if (answer == PLUMB_NONE)
        text_puts(t, "empty");
    else if (answer == PLUMB_OK)
        text_puts(t, "nothing");
    else
        value_print_short(t, core->history->values, answer);
}

void violation_print_answers(struct text *t, const struct part *p, const monitor_answers *answers)
{
    for (size_t k = 0; k < answers->len; k++) {
        text_printf(t, k ? " or " : "the %s would answer ", p->spec->name);
        add_answer(t, p, answers->data[k]);
    }
}

/* The same in words; null when the operation can follow (the longest order was not found within its bounds). */
static char *describe_refusal(const struct part *core, const void *state, uint32_t stuck,
                              monitor_answers *answers)
{
    struct plumb_call call = part_call(core, stuck);
    struct text t = {0};
    bool is_near;
    if (!find_answers(core, state, stuck, answers, &is_near))
        return NULL;
    violation_print_answers(&t, core, answers);
    if (!answers->len && core->spec->blocks && core->spec->blocks(state, &call))
        text_printf(&t, "the %s would wait there", core->spec->name);
    else if (!answers->len)
        text_puts(&t, is_near && !spec_quasi_base(core->spec) ? "that is not possible then"
                                                              : "no legal sequence is near enough");
    return text_take(&t);
}

static void forget_steps(monitor_steps *steps)
{
    for (size_t k = 0; k < steps->len; k++)
        free(steps->data[k].state);
    vec_clear(steps);
}

/* Replays a legal order for its states; nondeterministic answers may end it early. The state after it is the caller's. */
static void *record_steps(const struct part *core, const void *initial, const uint32_t *order, size_t count,
                          monitor_steps *steps)
{
    const struct plumb_spec *spec = core->spec;
    void *state = initial ? spec->clone(initial) : spec_init(spec, core->options);
    for (size_t k = 0; k < count; k++) {
        struct plumb_call call = part_call(core, order[k]);
        if (!spec->step(state, &call, 0, NULL))
            break;
        struct monitor_step step = {part_history_index(core, order[k]), violation_print_state(spec, state)};
        vec_push(steps, step);
    }
    return state;
}

static void record_legal_order(const struct part *core, const void *initial, const struct decision *longest,
                               struct monitor_violation *v)
{
    void *first = record_steps(core, initial, NULL, 0, &v->legal);
    v->initial_state = violation_print_state(core->spec, first);
    core->spec->destroy(first);
    void *state = record_steps(core, initial, longest->witness.data, longest->witness.len, &v->legal);
    if (longest->core.len)
        v->stuck_why = describe_refusal(core, state, longest->core.data[0], &v->expected);
    if (v->stuck_why)
        v->stuck_op = part_history_index(core, longest->core.data[0]);
    else
        forget_steps(&v->legal);
    core->spec->destroy(state);
}

/* ------------------------------------------------------------------ other orders */

static void free_attempt(struct monitor_attempt *a)
{
    forget_steps(&a->legal);
    vec_free(&a->legal);
    vec_free(&a->expected);
    free(a->stuck_why);
}

static bool is_longest(const struct part *core, const struct search_attempt *a,
                       const struct monitor_violation *v)
{
    if (part_history_index(core, a->refused) != v->stuck_op || a->order.len != v->legal.len)
        return false;
    for (size_t k = 0; k < a->order.len; k++)
        if (part_history_index(core, a->order.data[k]) != v->legal.data[k].op)
            return false;
    return true;
}

/* False: replayed, it does not fail in this way. */
static bool add_attempt(const struct part *core, const void *initial, const struct search_attempt *a,
                        struct monitor_violation *v)
{
    struct monitor_attempt attempt = {.stuck_op = part_history_index(core, a->refused)};
    void *state = record_steps(core, initial, a->order.data, a->order.len, &attempt.legal);
    if (attempt.legal.len == a->order.len)
        attempt.stuck_why = describe_refusal(core, state, a->refused, &attempt.expected);
    core->spec->destroy(state);
    if (attempt.stuck_why)
        vec_push(&v->others, attempt);
    else
        free_attempt(&attempt);
    return attempt.stuck_why != NULL;
}

enum { ATTEMPTS_MOST = 3 };

static void record_attempts(const struct part *core, const void *initial, struct budget *budget,
                            struct monitor_violation *v)
{
    struct search_attempts found;
    search_attempts(core, initial, budget, ATTEMPTS_MOST, &found);
    size_t shown = 1; /* the longest */
    bool has_longest = false;
    for (size_t k = 0; k < found.list.len && v->stuck_why; k++) {
        bool same = is_longest(core, &found.list.data[k], v);
        has_longest |= same;
        if (!same && shown < ATTEMPTS_MOST)
            shown += add_attempt(core, initial, &found.list.data[k], v);
    }
    v->attempts_are_all = found.are_all && has_longest && shown == found.list.len;
    if (core->spec->accept) /* relaxed: an item may come out before it was put in, which explains nothing */
        vec_clear(&found.untimely);
    for (size_t k = 0; k < found.untimely.len; k++)
        vec_push(&v->untimely, part_history_index(core, found.untimely.data[k]));
    if (found.untimely.len) {
        v->too_early = part_history_index(core, found.too_early);
        v->too_late = part_history_index(core, found.too_late);
    }
    search_attempts_free(&found);
}

static uint32_t last_to_return(const struct part *core)
{
    uint32_t e = core->order.event_count;
    while (e > 1 && !order_event_returns(core->order.event[e - 1]))
        e--;
    return order_event_op(core->order.event[e - 1]);
}

enum { LONGEST_BYTES = 16 << 20 };

static void add_explanation(const struct part *core, const void *initial, struct budget *budget,
                            struct monitor_violation *v)
{
    struct decision longest = {0};
    struct budget own = budget_within(budget, LONGEST_BYTES);
    search_longest(core, initial, &own, &longest);
    v->stuck_op = UINT32_MAX;
    record_legal_order(core, initial, &longest, v);
    record_attempts(core, initial, &own, v);
    uint32_t stuck = v->stuck_why ? longest.core.data[0] : UINT32_MAX;
    uint32_t guilty =
        last_to_return(core); /* where every order of a prefix ends, unless the sentence knows better */
    v->why = why_sentence(core, initial, v, stuck, &guilty);
    v->guilty = part_history_index(core, guilty);
    decision_free(&longest);
}

/* ------------------------------------------------------------------ all together */

static struct part restrict_to_core(const struct part *p, const struct decision *d)
{
    OWNED uint32_t *chosen = NEW_ARRAY(uint32_t, d->core.len);
    memcpy(chosen, d->core.data, sizeof(uint32_t) * d->core.len);
    uint32_t count = (uint32_t)sort_distinct(chosen, d->core.len);
    struct part core = part_restrict(p, chosen, count);
    return core;
}

static void list_core(const struct part *core, struct monitor_violation *v)
{
    for (uint32_t e = 0; e < core->order.event_count; e++) {
        uint32_t i = order_event_op(core->order.event[e]);
        if (order_event_returns(core->order.event[e]))
            continue;
        vec_push(&v->core, part_history_index(core, i));
        vec_push(&v->optional, core->order.ret[i] == ORDER_NEVER && !part_op(core, i)->pending);
    }
}

static struct monitor_violation *explain(struct part *core, const void *initial, const char *found_by,
                                         const char *confirmed_by, bool minimal, struct budget *budget)
{
    struct monitor_violation *v = NEW(struct monitor_violation);
    struct budget own = budget_within(budget, LONGEST_BYTES);
    core_ops left_out = {0};
    if (!is_set(core)) /* what a read lists is not left out */
        core_leave_out(core, initial, &own, &left_out);
    for (size_t k = 0; k < left_out.len; k++)
        vec_push(&v->left_out, left_out.data[k]);
    vec_free(&left_out);
    v->key = PLUMB_OK;
    v->found_by = found_by;
    v->confirmed_by = confirmed_by;
    v->minimal = minimal;
    list_core(core, v);
    add_explanation(core, initial, budget, v);
    return v;
}

enum { SHORT_PREFIX = 12, QUICK_TO_SHRINK = 200 };

/* Starts the prefix at a late moment at which the state is certain, if it has one; null when the budget does not allow
 * to find out. */
static struct monitor_violation *explain_window(const struct part *prefix, final_states *cross,
                                                const char *found_by, const char *route,
                                                struct budget *budget)
{
    struct window w;
    if (!confirmed(window_find(prefix, cross, budget, &w)))
        return NULL;
    bool minimal = core_minimise(&w.part, w.state, NULL, budget);
    struct monitor_violation *v = explain(&w.part, w.state, found_by, route, minimal, budget);
    v->earlier = w.earlier;
    window_free(&w);
    return v;
}

/* The shortest prefix that is violated, explained as well as the budget allows. `cross`: how to look for a later start.
 * `is_confirmed`: a second route has agreed already; else the one behind `cross` has to. */
static struct monitor_violation *explain_prefix(struct part *prefix, final_states *cross,
                                                const char *found_by, const char *route, bool is_confirmed,
                                                struct budget *budget)
{
    bool quick = prefix->order.count <= QUICK_TO_SHRINK || spec_is_register(prefix->spec);
    bool minimal = quick && core_minimise(prefix, NULL, NULL, budget);
    struct monitor_violation *v = NULL;
    bool can_start_later =
        !search_has_many_pending(prefix); /* what is pending stays open at every later moment */
    if (prefix->order.count > SHORT_PREFIX && can_start_later)
        v = explain_window(prefix, cross, found_by, route, budget);
    else if (!is_confirmed)
        is_confirmed = confirmed(confirm_decide(prefix, NULL, budget));
    return v || !is_confirmed ? v : explain(prefix, NULL, found_by, route, minimal, budget);
}

static struct monitor_violation *build_from_search(const struct part *p, const char *found_by,
                                                   const struct decision *d, struct budget *budget)
{
    struct part prefix = part_cut(p, d->legal_events);
    struct monitor_violation *v = explain_prefix(&prefix, confirm_final_states, found_by,
                                                 "depth-first search over operations", false, budget);
    part_free(&prefix);
    return v;
}

/* ------------------------------------------------------------------ cores found by a fast algorithm */

/* Containers, and registers that are only written, read and successfully exchanged, fall apart into values: a core made
 * of some of them implies the violation of everything. So does one of appended strings, with all that its gets may have
 * seen, and one of reads of whole sets with the additions that they list. */
static bool falls_apart_into_values(const struct part *p)
{
    if (spec_is_container(p->spec) || p->spec->kind == PLUMB_KIND_KV || is_set(p))
        return true;
    if (!spec_is_register(p->spec))
        return false;
    for (uint32_t i = 0; i < p->order.count; i++) {
        const struct history_op *op = part_op(p, i);
        enum plumb_role role = p->spec->operations[op->op].role;
        if (role != PLUMB_WRITES && role != PLUMB_READS &&
            !(role == PLUMB_EXCHANGES && op->result == PLUMB_TRUE))
            return false;
    }
    return true;
}

/* `stricter`: orders that are shown have to be legal under it, too; or null. */
static struct monitor_violation *explain_values(struct part *core, decider *fast, const char *found_by,
                                                const struct plumb_spec *stricter, struct budget *budget)
{
    bool minimal = core_minimise(core, NULL, fast, budget);
    const char *route = confirm_core(core, budget);
    if (!route)
        return NULL;
    if (stricter) {
        core->spec = stricter;
        core->spec = plain_spec(core);
    }
    struct monitor_violation *v = NULL;
    if (core->order.count > SHORT_PREFIX && !spec_is_container(core->spec) && !is_set(core)) {
        struct budget own = budget_within(budget, CONFIRM_BYTES);
        v = explain_window(core, search_final_states, found_by, route, &own);
    }
    return v ? v : explain(core, NULL, found_by, route, minimal, budget);
}

/* All operations of `p` with the same key as operation `i`; everything when there are no keys. */
static struct part restrict_to_key(const struct part *p, uint32_t i)
{
    uint32_t *chosen = NEW_ARRAY(uint32_t, p->order.count), count = 0;
    struct plumb_call wanted = part_call(p, i);
    const struct plumb_values *values = p->history->values;
    for (uint32_t k = 0; k < p->order.count; k++) {
        struct plumb_call call = part_call(p, k);
        if (!p->spec->key || p->spec->key(values, &call) == p->spec->key(values, &wanted))
            chosen[count++] = k;
    }
    struct part key = part_restrict(p, chosen, count);
    free(chosen);
    return key;
}

/* Other objects do not fall apart into values: the general search, which has to agree anyway, finds the prefix. */
static struct monitor_violation *explain_found_prefix(const struct part *p, const char *found_by,
                                                      const struct decision *d, struct budget *budget)
{
    struct part key = restrict_to_key(p, d->core.data[0]);
    struct decision found = {0};
    struct monitor_violation *v = NULL;
    if (confirmed(search_decide(&key, NULL, budget, &found))) {
        struct part prefix = part_cut(&key, found.legal_events);
        struct budget own = budget_within(budget, CONFIRM_BYTES);
        v = explain_prefix(&prefix, search_final_states, found_by, "general search", true, &own);
        part_free(&prefix);
    }
    decision_free(&found);
    part_free(&key);
    return v;
}

static struct monitor_violation *build_from_fast(const struct part *p, decider *fast, const char *found_by,
                                                 const struct decision *d, struct budget *budget)
{
    if (!falls_apart_into_values(p))
        return explain_found_prefix(p, found_by, d, budget);
    struct part core = restrict_to_core(p, d);
    struct monitor_violation *v = explain_values(&core, fast, found_by, d->stricter, budget);
    part_free(&core);
    return v;
}

struct monitor_violation *violation_build(const struct part *p, decider *fast, const char *found_by,
                                          const struct decision *d, struct budget *budget)
{
    return fast ? build_from_fast(p, fast, found_by, d, budget) : build_from_search(p, found_by, d, budget);
}

void violation_free(struct monitor_violation *v)
{
    if (!v)
        return;
    forget_steps(&v->legal);
    vec_free(&v->legal);
    for (size_t k = 0; k < v->others.len; k++)
        free_attempt(&v->others.data[k]);
    vec_free(&v->others);
    vec_free(&v->expected);
    vec_free(&v->untimely);
    vec_free(&v->core);
    vec_free(&v->left_out);
    vec_free(&v->optional);
    free(v->initial_state);
    free(v->why);
    free(v->stuck_why);
    free(v);
}
