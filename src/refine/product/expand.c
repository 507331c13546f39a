/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/product/expand.h"

#include "base/check.h"

#include <string.h>

void expander_init(struct expander *x, const struct expand_settings *settings)
{
    *x = (struct expander){.settings = settings};
    x->scratch = NEW_ARRAY(uint8_t, 2 * (size_t)settings->system->state_size + 1);
}

void expander_free(struct expander *x)
{
    refine_steps_free(&x->steps);
    free(x->scratch);
    vec_free(&x->successors);
    vec_free(&x->states);
}

void expander_clear(struct expander *x)
{
    vec_clear(&x->successors);
    vec_clear(&x->states);
}

/* The state that is expanded, and one way to go on from it. */
struct way {
    const uint8_t *from;
    const struct expand_gaps *gaps;
    unsigned items; /* in `from` */
    const struct refine_step *step;
    unsigned choice;
    int32_t args[REFINE_ARGS_MAX]; /* of a call */
};

/* --- arguments --------------------------------------------------------------------------------------------- */

/* How many arguments of a call are open. */
static unsigned open_arguments(const struct refine_step *step)
{
    unsigned count = 0;
    for (unsigned i = 0; i < step->arg_count && step->kind == REFINE_CALL; i++)
        count += step->args[i] != REFINE_NOWHERE;
    return count;
}

static unsigned choices_of(const struct expander *x, const struct way *w)
{
    unsigned open = open_arguments(w->step), count = 1;
    if (x->settings->machine->names == MACHINE_BY_RANK)
        return open ? w->gaps->count : 1;
    for (unsigned i = 0; i < open && x->settings->free_values; i++)
        count *= x->settings->free_values;
    return count;
}

/* Only values that can be named: new items for additions, or any of the free values. */
static bool can_name_arguments(const struct expander *x, const struct refine_step *step)
{
    const struct expand_settings *s = x->settings;
    if (step->kind != REFINE_CALL)
        return true;
    if (step->arg_count != s->arg_counts[s->op_of[step->op]])
        return false;
    if (s->machine->names == MACHINE_FIXED)
        return s->free_values || !open_arguments(step);
    bool adds = s->machine->roles[s->op_of[step->op]] == PLUMB_ADDS;
    if (step->arg_count != adds)
        return false;
    return !adds || (step->args[0] != REFINE_NOWHERE && s->system->locations[step->args[0]].is_data);
}

/* BY_RANK: items from `below` + 1 on make room. */
static void shift_items(const struct canon *c, uint8_t *state, unsigned below)
{
    uint8_t to[RENAMING_SIZE];
    for (unsigned i = 0; i < RENAMING_SIZE; i++)
        to[i] = (uint8_t)(i > below ? i + 1 : i);
    canon_rename(c, state, to);
}

static int32_t next_argument(const struct expander *x, struct way *w, unsigned *left, uint8_t *state)
{
    const struct expand_settings *s = x->settings;
    if (s->machine->names == MACHINE_BY_RANK) {
        shift_items(s->canon, state, w->gaps->below[w->choice]);
        return w->gaps->below[w->choice] + 1;
    }
    if (s->machine->names == MACHINE_BY_PLACE)
        return (int32_t)w->items + 1;
    int32_t value = (int32_t)(*left % s->free_values) + 1;
    *left /= s->free_values;
    return value;
}

static void store_arguments(const struct expander *x, struct way *w, uint8_t *state)
{
    unsigned left = w->choice;
    for (unsigned i = 0; i < w->step->arg_count; i++) {
        if (w->step->args[i] == REFINE_NOWHERE) {
            w->args[i] = w->step->constants[i];
            continue;
        }
        w->args[i] = next_argument(x, w, &left, state);
        refine_store(&x->settings->system->locations[w->step->args[i]], state, w->args[i]);
    }
}

/* --- what a step means to the explanations -------------------------------------------------------------------- */

static void describe_step(const struct expander *x, const struct way *w, struct successor *n)
{
    const struct expand_settings *s = x->settings;
    const struct refine_step *step = w->step;
    struct action *a = &n->action;
    bool is_point = s->use_points && step->has_point && step->kind == REFINE_INTERNAL;
    if (step->kind == REFINE_INTERNAL && !is_point)
        return;
    a->kind = step->kind == REFINE_CALL ? ACTION_CALL : is_point ? ACTION_POINT : ACTION_RETURN;
    a->thread = step->thread;
    a->arg_count = step->kind == REFINE_CALL ? step->arg_count : 0;
    for (unsigned i = 0; i < a->arg_count; i++)
        a->args[i] = (uint8_t)w->args[i];
    if (a->arg_count && s->machine->names == MACHINE_BY_RANK)
        a->args[0] = (uint8_t)w->choice;
    if (a->kind == ACTION_CALL)
        return;
    int32_t answer = is_point ? step->point : step->value;
    a->answer = (uint16_t)answer;
    if (step->is_bad_answer || !s->machine->can_answer(s->machine, a->op, answer))
        n->outcome = SUCCESSOR_BAD_ANSWER;
    else if (answer < 0 || answer > UINT16_MAX)
        n->outcome = is_point ? SUCCESSOR_BAD_ANSWER : SUCCESSOR_NUMBER;
}

static void describe_names(const struct expander *x, const struct way *w, const struct canon_names *names,
                           struct successor *n)
{
    struct action *a = &n->action;
    bool is_same = a->kind == ACTION_RENAME;
    for (uint8_t t = 0; t < x->settings->system->threads; t++) {
        a->threads[t] = names->threads[t];
        is_same &= names->threads[t] == t;
    }
    if (x->settings->machine->names != MACHINE_FIXED) {
        a->item_count = (uint8_t)(w->items + a->arg_count);
        memcpy(a->names + 1, names->items + 1, a->item_count);
        for (unsigned i = 1; i <= a->item_count; i++)
            is_same &= a->names[i] == i;
    }
    n->is_quiet = is_same;
}

static void append(struct expander *x, uint32_t node, size_t step, struct way *w, struct canon_names *names,
                   uint8_t *raw)
{
    const struct expand_settings *s = x->settings;
    size_t size = s->system->state_size;
    struct successor n = {.node = node, .step = (uint16_t)step, .choice = (uint16_t)w->choice};
    n.action.op = s->op_of[w->step->op];
    vec_reserve(&x->states, x->states.len + size);
    uint8_t *state = x->states.data + x->states.len;
    x->states.len += size;
    bool ends = w->step->kind == REFINE_FAULT || w->step->kind == REFINE_STUCK;
    memcpy(state, ends ? w->from : x->steps.states.data + step * size, size);
    if (ends) {
        n.action.thread = w->step->thread;
        n.outcome = w->step->kind == REFINE_STUCK ? SUCCESSOR_STUCK
                    : w->step->is_limit           ? SUCCESSOR_LONG
                                                  : SUCCESSOR_FAULT;
    } else if (!can_name_arguments(x, w->step)) {
        n.outcome = SUCCESSOR_ARGUMENT;
    } else {
        store_arguments(x, w, state);
        describe_step(x, w, &n);
        if (raw)
            memcpy(raw, state, size);
        if (!canon_apply(s->canon, state, x->scratch, names))
            n.outcome = SUCCESSOR_NAMES;
        if (w->step->is_permuted)
            memcpy(names->threads, w->step->permutation, sizeof names->threads);
        describe_names(x, w, names, &n);
    }
    vec_push(&x->successors, n);
}

/* --- all steps ---------------------------------------------------------------------------------------------- */

/* A local step that can go first: what it leads to has everything else still before it. */
static size_t find_local(const struct expander *x)
{
    size_t i = 0;
    while (i < x->steps.steps.len && !(x->steps.steps.data[i].is_local &&
                                       !(x->settings->use_points && x->steps.steps.data[i].has_point)))
        i++;
    return i;
}

static void get_steps(struct expander *x, const uint8_t *state)
{
    const struct refine_system *s = x->settings->system;
    refine_steps_clear(&x->steps);
    s->steps(s, state, &x->steps);
}

/* Something to report about the state itself. */
static void append_outcome(struct expander *x, uint32_t node, const uint8_t *state,
                           enum successor_outcome outcome)
{
    const struct refine_system *s = x->settings->system;
    struct successor n = {.node = node, .outcome = outcome};
    vec_reserve(&x->states, x->states.len + s->state_size);
    memcpy(x->states.data + x->states.len, state, s->state_size);
    x->states.len += s->state_size;
    vec_push(&x->successors, n);
}

void expand_node(struct expander *x, uint32_t node, const uint8_t *state, const struct expand_gaps *gaps)
{
    const struct expand_settings *s = x->settings;
    struct canon_names names;
    get_steps(x, state);
    size_t count = x->steps.steps.len, local = s->reduces ? find_local(x) : count;
    struct way w = {.from = state, .gaps = gaps, .items = canon_count_items(s->canon, state)};
    if (!count && s->deadlock && s->system->is_final && !s->system->is_final(s->system, state))
        append_outcome(x, node, state, SUCCESSOR_DEADLOCK);
    if (count > UINT16_MAX) {
        append_outcome(x, node, state, SUCCESSOR_MANY);
        return;
    }
    for (size_t i = local < count ? local : 0; i < (local < count ? local + 1 : count); i++) {
        w.step = &x->steps.steps.data[i];
        unsigned choices = can_name_arguments(x, w.step) ? choices_of(x, &w) : 1;
        for (w.choice = 0; w.choice < choices; w.choice++)
            append(x, node, i, &w, &names, NULL);
    }
    if (local < count)
        vec_last(&x->successors).is_alone = true;
}

void expand_one(struct expander *x, const uint8_t *state, const struct expand_gaps *gaps, uint16_t step,
                uint16_t choice, struct canon_names *names, uint8_t *raw, int32_t *args)
{
    get_steps(x, state);
    struct way w = {
        .from = state,
        .gaps = gaps,
        .items = canon_count_items(x->settings->canon, state),
        .step = &x->steps.steps.data[step],
        .choice = choice,
    };
    append(x, 0, step, &w, names, raw);
    memcpy(args, w.args, sizeof w.args);
}
