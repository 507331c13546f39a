/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/violation.h"

#include "base/check.h"
#include "history/value_text.h"
#include "monitor/core.h"
#include "monitor/search.h"
#include "monitor/window.h"

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
    plumb_value answer;
    void *copy = core->spec->clone(state);
    if (core->spec->step(copy, &call, 0, NULL)) {
        core->spec->destroy(copy);
        return NULL;
    }
    call.result = PLUMB_ANY;
    if (core->spec->step(copy, &call, 0, &answer)) {
        text_printf(&t, "the %s would answer ", core->spec->name);
        if (answer == PLUMB_NONE)
            text_puts(&t, "empty");
        else
            value_print(&t, core->history->values, answer);
    } else {
        text_puts(&t, "it would have to wait");
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
    void *state = initial ? spec->clone(initial) : spec->init(core->options);
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

enum { LONGEST_BYTES = 16 << 20 };

static void explain(const struct part *core, const void *initial, struct budget *budget,
                    struct monitor_violation *v)
{
    struct decision longest = {0};
    struct budget own = {.deadline = budget->deadline, .bytes_max = LONGEST_BYTES};
    search_longest(core, initial, &own, &longest);
    v->stuck_op = UINT32_MAX;
    record_legal_order(core, initial, &longest, v);
    uint32_t stuck = v->stuck_why ? longest.core.data[0] : UINT32_MAX, guilty = 0;
    v->why = why_sentence(core, initial != NULL, stuck, v->stuck_why, &guilty);
    v->guilty = part_history_index(core, guilty);
    decision_free(&longest);
}

/* ------------------------------------------------------------------ all together */

static int compare_indices(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static struct part restrict_to_core(const struct part *p, const struct decision *d)
{
    uint32_t *chosen = NEW_ARRAY(uint32_t, d->core.len);
    memcpy(chosen, d->core.data, sizeof(uint32_t) * d->core.len);
    qsort(chosen, d->core.len, sizeof *chosen, compare_indices);
    uint32_t count = 0;
    for (size_t k = 0; k < d->core.len; k++)
        if (!count || chosen[count - 1] != chosen[k])
            chosen[count++] = chosen[k];
    struct part core = part_restrict(p, chosen, count);
    free(chosen);
    return core;
}

static void list_core(const struct part *core, struct monitor_violation *v)
{
    for (uint32_t e = 0; e < core->order.event_count; e++)
        if (!order_event_returns(core->order.event[e]))
            vec_push(&v->core, part_history_index(core, order_event_op(core->order.event[e])));
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

/* Starts the story at a late moment at which the state is certain, if the core is long and has one. Also the second
 * route for what the general search found. */
static struct monitor_violation *tell_window(const struct part *core, const char *found_by, const char *route,
                                             struct budget *budget)
{
    struct window w;
    if (!confirmed(window_confirm(core, budget, &w)))
        return NULL;
    bool minimal = core_minimise(&w.part, w.state, NULL, budget);
    struct monitor_violation *v = tell(&w.part, w.state, found_by, route, minimal, budget);
    v->earlier = w.earlier;
    window_free(&w);
    return v;
}

enum { SHORT_CORE = 12, LONG_FOR_SEARCH = 200 };

/* Shrinks where that is quick; a long rest of anything but a container is told from a later moment. */
static bool shrink(struct part *core, decider *fast, struct budget *budget, bool *long_story)
{
    bool worth_it = fast ? core_is_container(core->spec) || core_is_register(core->spec) : false;
    bool minimal = (worth_it || core->order.count <= LONG_FOR_SEARCH) && core_minimise(core, NULL, fast, budget);
    *long_story = core->order.count > SHORT_CORE && !(fast && core_is_container(core->spec));
    return minimal;
}

static struct monitor_violation *build_from_fast(struct part *core, decider *fast, const char *found_by,
                                                 struct budget *budget)
{
    bool long_story, minimal = shrink(core, fast, budget, &long_story);
    const char *route = confirm_core(core, budget);
    if (!route)
        return NULL;
    struct monitor_violation *v = NULL;
    if (long_story) {
        struct budget own = {.deadline = budget->deadline, .bytes_max = CONFIRM_BYTES};
        v = tell_window(core, found_by, route, &own);
    }
    return v ? v : tell(core, NULL, found_by, route, minimal, budget);
}

static struct monitor_violation *build_from_search(struct part *core, const char *found_by, struct budget *budget)
{
    static const char route[] = "depth-first search over operations";
    bool long_story, minimal = shrink(core, NULL, budget, &long_story);
    if (long_story)
        return tell_window(core, found_by, route, budget);
    return confirmed(confirm_decide(core, NULL, budget)) ? tell(core, NULL, found_by, route, minimal, budget)
                                                         : NULL;
}

struct monitor_violation *violation_build(const struct part *p, decider *fast, const char *found_by,
                                          const struct decision *d, struct budget *budget)
{
    struct part core = restrict_to_core(p, d);
    struct monitor_violation *v = fast ? build_from_fast(&core, fast, found_by, budget)
                                       : build_from_search(&core, found_by, budget);
    part_free(&core);
    return v;
}

void violation_free(struct monitor_violation *v)
{
    if (!v)
        return;
    forget_steps(v);
    vec_free(&v->legal);
    vec_free(&v->core);
    free(v->initial_state);
    free(v->why);
    free(v->stuck_why);
    free(v);
}
