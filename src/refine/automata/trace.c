/* SPDX-License-Identifier: Apache-2.0 */
/* Breadth first over pairs: a state of the implementation, and the set of states in which the specification can be after
 * the same calls and returns (closed under its internal steps). A call or return after which the set is empty is one that
 * the specification does not have.
 *
 * A pair is skipped when the same state was met with a subset: what can be followed from there can be followed from here, too.
 * With distinct values items have the names that canon.h gives those of the implementation. */
#include "refine/refine.h"

#include "base/check.h"
#include "refine/product/canon.h"
#include "refine/automata/trace_sets.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct pair {
    uint32_t state, set;
    uint32_t parent;
    /* The number of the parent's step, calls counted once for each choice of arguments */
    uint32_t variant;
    uint32_t next; /* with the same state; UINT32_MAX: none */
};

enum { NO_PAIR = UINT32_MAX };

struct search {
    const struct refine_system *impl, *spec;
    const struct refine_settings *settings;
    struct refine_result *result;
    struct budget budget;
    uint8_t op_of[UINT8_MAX + 1]; /* the specification's number of the implementation's operation */
    struct canon canon;           /* of the implementation's states */
    struct intern states;
    struct trace_sets sets;
    VEC(struct pair) pairs;
    VEC(uint32_t) pairs_of; /* of each state, the newest pair */
    struct refine_steps steps;
    bool meets_limit;
    bool found;
};

static bool is_distinct(const struct search *x)
{
    return !x->settings->free_values;
}

/* --- pairs ---------------------------------------------------------------------------------------------- */

static bool is_covered(const struct search *x, uint32_t state, uint32_t set)
{
    for (uint32_t p = x->pairs_of.data[state]; p != NO_PAIR; p = x->pairs.data[p].next) {
        uint32_t known = x->pairs.data[p].set;
        if (known == set || (!x->settings->plain && trace_sets_is_subset(&x->sets, known, set)))
            return true;
    }
    return false;
}

/* The pair of the members and the implementation's `state`, which is renamed. */
static void add_pair(struct search *x, uint8_t *state, uint32_t parent, uint32_t variant)
{
    if (is_distinct(x)) {
        struct canon_names names;
        canon_apply(&x->canon, state, NULL, &names);
        trace_sets_rename(&x->sets, names.items);
    }
    uint32_t set = trace_sets_store(&x->sets);
    uint32_t number = intern_add(&x->states, state, x->impl->state_size, NULL);
    if (number == x->pairs_of.len)
        vec_push(&x->pairs_of, NO_PAIR);
    if (is_covered(x, number, set))
        return;
    struct pair p = {number, set, parent, variant, x->pairs_of.data[number]};
    x->pairs_of.data[number] = (uint32_t)x->pairs.len;
    vec_push(&x->pairs, p);
}

/* Something that the specification does not do: the pair that leads there has no set. */
static void end_search(struct search *x, uint32_t parent, uint32_t variant, enum refine_reason reason)
{
    struct pair p = {.parent = parent, .variant = variant, .next = NO_PAIR};
    vec_push(&x->pairs, p);
    x->result->reason = reason;
    x->found = true;
}

/* --- steps ---------------------------------------------------------------------------------------------- */

/* A step of the implementation with the arguments chosen. */
struct choice {
    const struct refine_step *step;
    int32_t args[REFINE_ARGS_MAX];
    uint8_t *state; /* after it */
    uint32_t variant;
};

/* How many values argument `i` of a call can have. */
static uint32_t values_of(const struct search *x, const struct refine_step *step, unsigned i)
{
    if (step->args[i] == REFINE_NOWHERE || is_distinct(x))
        return 1;
    return x->settings->free_values;
}

static uint32_t variants_of(const struct search *x, const struct refine_step *step)
{
    uint32_t count = 1;
    for (unsigned i = 0; step->kind == REFINE_CALL && i < step->arg_count; i++)
        count *= values_of(x, step, i);
    return count;
}

static void choose_arguments(const struct search *x, struct choice *c, uint32_t variant)
{
    for (unsigned i = 0; i < c->step->arg_count; i++) {
        uint32_t values = values_of(x, c->step, i);
        if (c->step->args[i] == REFINE_NOWHERE) {
            c->args[i] = c->step->constants[i];
            continue;
        }
        c->args[i] = is_distinct(x) ? renaming_fresh(x->impl, c->state) : (int32_t)(variant % values) + 1;
        refine_store(&x->impl->locations[c->step->args[i]], c->state, c->args[i]);
        variant /= values;
    }
}

static struct trace_label label_of(const struct search *x, const struct choice *c)
{
    struct trace_label l = {.kind = c->step->kind,
                            .thread = c->step->thread,
                            .op = x->op_of[c->step->op],
                            .arg_count = c->step->kind == REFINE_CALL ? c->step->arg_count : 0,
                            .value = c->step->value};
    memcpy(l.args, c->args, sizeof l.args);
    return l;
}

static void take_choice(struct search *x, uint32_t pair, const struct choice *c)
{
    x->result->transitions++;
    if (c->step->kind == REFINE_FAULT) {
        x->meets_limit = c->step->is_limit;
        end_search(x, pair, c->variant, REFINE_MODEL_FAULT);
        return;
    }
    if (c->step->kind == REFINE_INTERNAL) {
        trace_sets_load(&x->sets, x->pairs.data[pair].set);
    } else {
        struct trace_label l = label_of(x, c);
        trace_sets_follow(&x->sets, x->pairs.data[pair].set, &l);
    }
    if (x->sets.members.len)
        add_pair(x, c->state, pair, c->variant);
    else
        end_search(x, pair, c->variant, REFINE_NO_EXPLANATION);
}

/* Calls `visit` for every step of a state with every choice of arguments, until it answers false. */
static void each_choice(struct search *x, uint32_t state,
                        bool (*visit)(struct search *, void *, struct choice *), void *context)
{
    uint32_t variant = 0;
    size_t size = x->impl->state_size;
    OWNED uint8_t *next = NEW_ARRAY(uint8_t, size);
    refine_steps_clear(&x->steps);
    x->impl->steps(x->impl, intern_get(&x->states, state, NULL), &x->steps);
    for (size_t i = 0; i < x->steps.steps.len; i++) {
        const struct refine_step *step = &x->steps.steps.data[i];
        for (uint32_t v = 0, count = variants_of(x, step); v < count; v++, variant++) {
            memcpy(next, x->steps.states.data + i * size, size);
            struct choice c = {.step = step, .state = next, .variant = variant};
            if (step->kind == REFINE_CALL)
                choose_arguments(x, &c, v);
            if (!visit(x, context, &c))
                return;
        }
    }
}

static bool visit_choice(struct search *x, void *pair, struct choice *c)
{
    take_choice(x, *(uint32_t *)pair, c);
    return !x->found;
}

/* --- the counterexample ----------------------------------------------------------------------------------- */

struct retrace {
    uint32_t variant;
    uint8_t names[RENAMING_SIZE]; /* of each item, its name in the whole run */
    uint8_t next_name;
    uint8_t *state; /* after the step, renamed as the search did */
};

static bool answers_item(const struct refine_step *step)
{
    return step->kind == REFINE_RETURN && !step->answers_number && step->value > REFINE_NONE &&
           step->value <= RENAMING_ITEMS_MAX;
}

static void rename_names(const struct search *x, struct retrace *t, uint8_t *state)
{
    struct canon_names n;
    uint8_t names[RENAMING_SIZE] = {0};
    canon_apply(&x->canon, state, NULL, &n);
    for (unsigned old = 0; old < RENAMING_SIZE; old++)
        if (n.items[old])
            names[n.items[old]] = t->names[old];
    memcpy(t->names, names, sizeof names);
}

/* Names go round: after 253 items, those that are gone by then are used again. */
static uint8_t next_name(struct retrace *t)
{
    do
        t->next_name = (uint8_t)(t->next_name % (REFINE_OK - 1) + 1);
    while (memchr(t->names, t->next_name, sizeof t->names));
    return t->next_name;
}

static bool retrace_choice(struct search *x, void *context, struct choice *c)
{
    struct retrace *t = context;
    if (c->variant != t->variant)
        return true;
    struct refine_event e = {.step = *c->step, .state = NEW_ARRAY(uint8_t, x->impl->state_size)};
    memcpy(e.args, c->args, sizeof e.args);
    memcpy(e.state, c->state, x->impl->state_size);
    if (is_distinct(x)) {
        for (unsigned i = 0; c->step->kind == REFINE_CALL && i < c->step->arg_count; i++)
            if (c->step->args[i] != REFINE_NOWHERE)
                e.args[i] = t->names[c->args[i]] = next_name(t);
        if (answers_item(c->step))
            e.step.value = t->names[c->step->value];
        canon_rename(&x->canon, e.state, t->names);
        rename_names(x, t, c->state);
    }
    vec_push(&x->result->run, e);
    return false;
}

static void retrace(struct search *x, uint32_t last)
{
    OWNED VEC(uint32_t) path = {0};
    for (uint32_t p = last; p; p = x->pairs.data[p].parent)
        vec_push(&path, p);
    struct retrace t = {0};
    for (size_t i = path.len; i > 0; i--) {
        const struct pair *p = &x->pairs.data[path.data[i - 1]];
        t.variant = p->variant;
        each_choice(x, x->pairs.data[p->parent].state, retrace_choice, &t);
    }
}

/* Another route to the same answer: the specification follows the run itself, whose items have names of their own, without
 * renaming anything or comparing sets. True: it cannot. */
static bool confirm(struct search *x)
{
    trace_sets_start(&x->sets);
    for (size_t i = 0; i < x->result->run.len && x->sets.members.len; i++) {
        const struct refine_event *e = &x->result->run.data[i];
        struct choice c = {.step = &e->step};
        memcpy(c.args, e->args, sizeof c.args);
        if (e->step.kind == REFINE_FAULT)
            return true;
        if (e->step.kind == REFINE_INTERNAL)
            continue;
        struct trace_label l = label_of(x, &c);
        trace_sets_follow(&x->sets, trace_sets_store(&x->sets), &l);
    }
    return !x->sets.members.len;
}

/* --- the search ------------------------------------------------------------------------------------------- */

static void set_limit(struct search *x, const char *limit)
{
    x->result->verdict = VERDICT_INCONCLUSIVE;
    snprintf(x->result->limit, sizeof x->result->limit, "%s", limit);
}

static size_t footprint(const struct search *x)
{
    return intern_footprint(&x->states) + trace_sets_footprint(&x->sets) +
           x->pairs.cap * sizeof *x->pairs.data + x->pairs_of.cap * sizeof *x->pairs_of.data;
}

/* True: go on. Looks at clock and memory now and then only. */
static bool within_limits(struct search *x, size_t pair)
{
    const struct refine_settings *o = x->settings;
    if (pair % 1024)
        return true;
    x->result->peak_bytes = footprint(x);
    if (o->progress)
        o->progress(o->progress_context, pair, x->pairs.len - pair, 0);
    if (o->stop && *o->stop)
        set_limit(x, "interrupted");
    else if (o->memory_limit && x->result->peak_bytes > o->memory_limit)
        set_limit(x, "memory limit");
    else if (budget_time_is_up(&x->budget))
        set_limit(x, "time limit");
    else
        return true;
    return false;
}

static void start(struct search *x)
{
    canon_init(&x->canon, x->impl, is_distinct(x) ? MACHINE_BY_PLACE : MACHINE_FIXED, false);
    trace_sets_init(&x->sets, x->spec);
    trace_sets_start(&x->sets);
    OWNED uint8_t *state = NEW_ZEROED(uint8_t, x->impl->state_size);
    x->impl->initial(x->impl, state);
    add_pair(x, state, 0, 0);
}

static void run(struct search *x)
{
    start(x);
    x->result->verdict = VERDICT_HOLDS;
    for (uint32_t p = 0; p < x->pairs.len && !x->found; p++) {
        if (!within_limits(x, p))
            break;
        each_choice(x, x->pairs.data[p].state, visit_choice, &p);
    }
    if (x->found && x->meets_limit)
        set_limit(x, "an atomic sequence is too long");
    else if (x->sets.fails)
        set_limit(x, "the specification's model fails an assertion or leaves an array");
    else if (x->found)
        x->result->verdict = VERDICT_VIOLATED;
    if (x->result->verdict == VERDICT_VIOLATED)
        retrace(x, (uint32_t)x->pairs.len - 1);
    CHECK(x->result->verdict != VERDICT_VIOLATED || confirm(x));
    x->result->pairs = x->pairs.len;
    x->result->states = intern_count(&x->states);
    x->result->peak_bytes = footprint(x);
}

static bool map_operations(struct search *x, struct diagnostic *d)
{
    for (uint32_t i = 0; i < x->impl->op_count; i++) {
        uint32_t k = 0;
        while (k < x->spec->op_count && strcmp(x->impl->ops[i], x->spec->ops[k]) != 0)
            k++;
        if (k == x->spec->op_count)
            return diagnostic_set(d, PL_UNKNOWN_OPERATION, 0, 0, "the specification %s has no operation '%s'",
                                  x->spec->name, x->impl->ops[i]);
        x->op_of[i] = (uint8_t)k;
    }
    return true;
}

static bool fits(const struct refine_system *s, struct diagnostic *d)
{
    uint32_t data = 0;
    for (uint32_t i = 0; i < s->location_count; i++)
        data += s->locations[i].is_data;
    if (data < RENAMING_ITEMS_MAX)
        return true;
    return diagnostic_set(d, PL_TOO_LARGE, 0, 0,
                          "%s has %" PRIu32 " places for items, distinct values work up to %d", s->name, data,
                          RENAMING_ITEMS_MAX - 1);
}

static void free_search(struct search *x)
{
    canon_free(&x->canon);
    intern_free(&x->states);
    trace_sets_free(&x->sets);
    vec_free(&x->pairs);
    vec_free(&x->pairs_of);
    refine_steps_free(&x->steps);
}

bool refine_trace(const struct refine_system *impl, const struct refine_system *spec,
                  const struct refine_settings *settings, struct refine_result *r, struct diagnostic *d)
{
    double started = base_now();
    struct search x = {.impl = impl, .spec = spec, .settings = settings, .result = r};
    x.budget = budget_start(settings->seconds, 0);
    *r = (struct refine_result){0};
    if (!map_operations(&x, d) || (is_distinct(&x) && !(fits(impl, d) && fits(spec, d))))
        return false;
    run(&x);
    free_search(&x);
    r->seconds = base_now() - started;
    return true;
}
