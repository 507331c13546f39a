/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/violation.h"

#include "base/check.h"
#include "base/sort.h"
#include "history/value_text.h"
#include "monitor/core.h"
#include "monitor/search.h"
#include "monitor/window.h"
#include "spec/registry.h"

#include <string.h>

/* ------------------------------------------------------------------ the second route */

static bool confirmed(enum answer answer)
{
    CHECK(answer != ANSWER_HOLDS); /* two algorithms disagree: never print a verdict then */
    return answer == ANSWER_VIOLATED;
}

static bool confirm_by_search(const struct part *core, struct budget *budget)
{
    struct decision d = {0};
    enum answer answer = search_decide(core, NULL, budget, &d);
    decision_free(&d);
    return confirmed(answer);
}

static bool confirm_by_second_stack_algorithm(const struct part *core, struct budget *budget)
{
    struct decision d = {0};
    enum answer answer = ANSWER_NOT_MINE;
    if (strcmp(core->spec->name, "stack") == 0)
        answer = stack_confirm(core, budget, &d);
    decision_free(&d);
    return answer != ANSWER_NOT_MINE && confirmed(answer);
}

/* A long core of a stack overlaps with itself everywhere: the search would not come back. */
enum { LONG_CORE = 200, CONFIRM_BYTES = 64 << 20 };

/* Name of the route that confirmed a core found by a fast algorithm, or null. */
static const char *confirm_core(const struct part *core, struct budget *budget)
{
    if (core->order.count > LONG_CORE && confirm_by_second_stack_algorithm(core, budget))
        return "the second stack algorithm";
    struct budget own = {.deadline = budget->deadline, .bytes_max = CONFIRM_BYTES};
    if (budget->bytes_max && budget->bytes_max < own.bytes_max)
        own.bytes_max = budget->bytes_max;
    if (confirm_by_search(core, &own))
        return "general search";
    if (confirm_by_second_stack_algorithm(core, budget))
        return "the second stack algorithm";
    return confirm_by_search(core, budget) ? "general search" : NULL;
}

/* ------------------------------------------------------------------ the longest legal order */

static char *print_state(const struct plumb_spec *spec, const void *state)
{
    char buffer[512];
    spec->print(state, buffer, sizeof buffer);
    return base_strndup(buffer, strlen(buffer));
}

/* What the specification has to say about an operation that cannot follow; null when it can (the longest order
 * was not found within its bounds). */
static char *describe_refusal(const struct part *core, const void *state, uint32_t stuck)
{
    struct plumb_call call = part_call(core, stuck);
    struct text t = {0};
    plumb_value answer = PLUMB_OK;
    void *copy = core->spec->clone(state);
    if (core->spec->step(copy, &call, 0, NULL)) {
        core->spec->destroy(copy);
        return NULL;
    }
    call.result = PLUMB_ANY;
    if (core->spec->step(copy, &call, 0, &answer) && answer != PLUMB_ANY) {
        text_printf(&t, "the %s would answer ", core->spec->name);
        if (answer == PLUMB_NONE)
            text_puts(&t, "empty");
        else
            value_print_short(&t, core->history->values, answer);
    } else {
        text_puts(&t, answer == PLUMB_ANY ? "no legal sequence is near enough" : "that is not possible then");
    }
    core->spec->destroy(copy);
    return text_take(&t);
}

static void forget_steps(struct monitor_violation *v)
{
    for (size_t k = 0; k < v->legal.len; k++)
        free(v->legal.data[k].state);
    vec_clear(&v->legal);
}

/* Replays the longest legal order for its states; nondeterministic answers may end it early. */
static void record_legal_order(const struct part *core, const void *initial, const struct decision *longest,
                               struct monitor_violation *v)
{
    const struct plumb_spec *spec = core->spec;
    void *state = initial ? spec->clone(initial) : spec_init(spec, core->options);
    v->initial_state = print_state(spec, state);
    for (size_t k = 0; k < longest->witness.len; k++) {
        uint32_t i = longest->witness.data[k];
        struct plumb_call call = part_call(core, i);
        if (!spec->step(state, &call, 0, NULL))
            break;
        struct monitor_step step = {part_history_index(core, i), print_state(spec, state)};
        vec_push(&v->legal, step);
    }
    if (longest->core.len)
        v->stuck_why = describe_refusal(core, state, longest->core.data[0]);
    if (v->stuck_why)
        v->stuck_op = part_history_index(core, longest->core.data[0]);
    else
        forget_steps(v);
    spec->destroy(state);
}

static uint32_t last_to_return(const struct part *core)
{
    uint32_t e = core->order.event_count;
    while (e > 1 && !order_event_returns(core->order.event[e - 1]))
        e--;
    return order_event_op(core->order.event[e - 1]);
}

enum { LONGEST_BYTES = 16 << 20 };

static void explain(const struct part *core, const void *initial, struct budget *budget,
                    struct monitor_violation *v)
{
    struct decision longest = {0};
    struct budget own = {.deadline = budget->deadline, .bytes_max = LONGEST_BYTES};
    search_longest(core, initial, &own, &longest);
    v->stuck_op = UINT32_MAX;
    record_legal_order(core, initial, &longest, v);
    uint32_t stuck = v->stuck_why ? longest.core.data[0] : UINT32_MAX;
    uint32_t guilty =
        last_to_return(core); /* where every order of a prefix ends, unless the sentence knows better */
    v->why = why_sentence(core, initial != NULL, stuck, v->stuck_why, &guilty);
    v->guilty = part_history_index(core, guilty);
    decision_free(&longest);
}

/* ------------------------------------------------------------------ all together */

static struct part restrict_to_core(const struct part *p, const struct decision *d)
{
    uint32_t *chosen = NEW_ARRAY(uint32_t, d->core.len);
    memcpy(chosen, d->core.data, sizeof(uint32_t) * d->core.len);
    uint32_t count = (uint32_t)sort_distinct(chosen, d->core.len);
    struct part core = part_restrict(p, chosen, count);
    free(chosen);
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

static struct monitor_violation *tell(const struct part *core, const void *initial, const char *found_by,
                                      const char *confirmed_by, bool minimal, struct budget *budget)
{
    struct monitor_violation *v = NEW(struct monitor_violation);
    v->key = PLUMB_OK;
    v->found_by = found_by;
    v->confirmed_by = confirmed_by;
    v->minimal = minimal;
    list_core(core, v);
    explain(core, initial, budget, v);
    return v;
}

enum { SHORT_STORY = 12, QUICK_TO_SHRINK = 200 };

/* Starts the story at a late moment at which the state is certain, if it has one; null when the budget does not allow
 * to find out. */
static struct monitor_violation *tell_window(const struct part *story, final_states *cross,
                                             const char *found_by, const char *route, struct budget *budget)
{
    struct window w;
    if (!confirmed(window_find(story, cross, budget, &w)))
        return NULL;
    bool minimal = core_minimise(&w.part, w.state, NULL, budget);
    struct monitor_violation *v = tell(&w.part, w.state, found_by, route, minimal, budget);
    v->earlier = w.earlier;
    window_free(&w);
    return v;
}

/* The shortest prefix that is violated, told as well as the budget allows. `cross`: how to look for a later start.
 * `is_confirmed`: a second route has agreed already; else the one behind `cross` has to. */
static struct monitor_violation *tell_prefix(struct part *story, final_states *cross, const char *found_by,
                                             const char *route, bool is_confirmed, struct budget *budget)
{
    bool minimal = story->order.count <= QUICK_TO_SHRINK && core_minimise(story, NULL, NULL, budget);
    struct monitor_violation *v = NULL;
    if (story->order.count > SHORT_STORY)
        v = tell_window(story, cross, found_by, route, budget);
    else if (!is_confirmed)
        is_confirmed = confirmed(confirm_decide(story, NULL, budget));
    return v || !is_confirmed ? v : tell(story, NULL, found_by, route, minimal, budget);
}

static struct monitor_violation *build_from_search(const struct part *p, const char *found_by,
                                                   const struct decision *d, struct budget *budget)
{
    struct part story = part_cut(p, d->legal_events);
    struct monitor_violation *v = tell_prefix(&story, confirm_final_states, found_by,
                                              "depth-first search over operations", false, budget);
    part_free(&story);
    return v;
}

/* ------------------------------------------------------------------ cores found by a fast algorithm */

/* Containers, and registers that are only written, read and successfully exchanged, fall apart into values: a core made
 * of some of them implies the violation of everything. */
static bool falls_apart_into_values(const struct part *p)
{
    if (core_is_container(p->spec))
        return true;
    if (!core_is_register(p->spec))
        return false;
    static const char *const plain[] = {"write", "put", "read", "get"};
    for (uint32_t i = 0; i < p->order.count; i++) {
        const struct history_op *op = part_op(p, i);
        const char *name = p->spec->operations[op->op].name;
        bool fits = strcmp(name, "cas") == 0 && op->result == PLUMB_TRUE;
        for (size_t k = 0; k < sizeof plain / sizeof *plain && !fits; k++)
            fits = strcmp(name, plain[k]) == 0;
        if (!fits)
            return false;
    }
    return true;
}

static struct monitor_violation *tell_values(struct part *core, decider *fast, const char *found_by,
                                             struct budget *budget)
{
    bool minimal = core_minimise(core, NULL, fast, budget);
    const char *route = confirm_core(core, budget);
    if (!route)
        return NULL;
    struct monitor_violation *v = NULL;
    if (core->order.count > SHORT_STORY && !core_is_container(core->spec)) {
        struct budget own = {.deadline = budget->deadline, .bytes_max = CONFIRM_BYTES};
        v = tell_window(core, search_final_states, found_by, route, &own);
    }
    return v ? v : tell(core, NULL, found_by, route, minimal, budget);
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
static struct monitor_violation *tell_found_prefix(const struct part *p, const char *found_by,
                                                   const struct decision *d, struct budget *budget)
{
    struct part key = restrict_to_key(p, d->core.data[0]);
    struct decision found = {0};
    struct monitor_violation *v = NULL;
    if (confirmed(search_decide(&key, NULL, budget, &found))) {
        struct part story = part_cut(&key, found.legal_events);
        struct budget own = {.deadline = budget->deadline, .bytes_max = CONFIRM_BYTES};
        v = tell_prefix(&story, search_final_states, found_by, "general search", true, &own);
        part_free(&story);
    }
    decision_free(&found);
    part_free(&key);
    return v;
}

static struct monitor_violation *build_from_fast(const struct part *p, decider *fast, const char *found_by,
                                                 const struct decision *d, struct budget *budget)
{
    if (!falls_apart_into_values(p))
        return tell_found_prefix(p, found_by, d, budget);
    struct part core = restrict_to_core(p, d);
    struct monitor_violation *v = tell_values(&core, fast, found_by, budget);
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
    forget_steps(v);
    vec_free(&v->legal);
    vec_free(&v->core);
    vec_free(&v->optional);
    free(v->initial_state);
    free(v->why);
    free(v->stuck_why);
    free(v);
}
