/* SPDX-License-Identifier: Apache-2.0 */
#include "ownspec/spec_laws.h"

#include "history/value_text.h"
#include "spec/shape.h"
#include "spec/generate/generate.h"

#include <limits.h>
#include <string.h>

enum { WALKS = 24, WALK_STEPS = 24, OUTCOMES_MOST = 64, SEEN_MOST = 48, THREADS = 3 };

/* One outcome of a call, in a state of its own. */
struct outcome {
    void *state;
    plumb_value result;
};

struct outcomes {
    struct outcome list[OUTCOMES_MOST];
    uint32_t count; /* OUTCOMES_MOST: there may be more */
};

struct laws {
    struct spec_sampler sampler;
    const struct plumb_spec *spec;
    const char *broken; /* the first one; null: none so far */
    struct text where;
    struct plumb_call call; /* that is being tried */
    bool calling;           /* ... if one is */
    void *seen[SEEN_MOST];
    uint32_t seen_count;
};

static void demand(struct laws *l, bool fine, const char *law)
{
    if (fine || l->broken)
        return;
    l->broken = law;
    if (!l->calling)
        return;
    text_printf(&l->where, " (%s(", l->spec->operations[l->call.op].name);
    if (l->call.arg != PLUMB_OK)
        value_print_short(&l->where, l->sampler.values, l->call.arg);
    text_puts(&l->where, "))");
}

static bool is_same(const struct laws *l, const void *a, const void *b)
{
    return l->spec->equal(a, b) && l->spec->equal(b, a) && l->spec->hash(a) == l->spec->hash(b);
}

/* What broke a law may have been freed already: nothing is touched any more. */
static void drop(const struct laws *l, void *state)
{
    if (!l->broken)
        l->spec->destroy(state);
}

/* --- outcomes ---------------------------------------------------------------------------------------------------- */

static void list_outcomes(struct laws *l, const void *state, const struct plumb_call *call,
                          struct outcomes *out)
{
    const struct plumb_spec *spec = l->spec;
    for (out->count = 0; out->count < OUTCOMES_MOST; out->count++) {
        struct outcome *o = &out->list[out->count];
        o->state = spec->clone(state);
        o->result = PLUMB_OK;
        if (spec->step(o->state, call, out->count, &o->result))
            continue;
        demand(l, is_same(l, o->state, state), "a step that answers false leaves the state as it was");
        drop(l, o->state);
        return;
    }
}

/* The deciders ask for outcome after outcome until there is none. */
static void try_end_of_outcomes(struct laws *l, const void *state)
{
    void *copy = l->spec->clone(state);
    plumb_value ignored;
    demand(l, !l->spec->step(copy, &l->call, UINT_MAX, &ignored),
           "step answers false when a call has no outcome of number 'choice'");
    drop(l, copy);
}

static void free_outcomes(const struct laws *l, struct outcomes *out)
{
    for (uint32_t i = 0; i < out->count; i++)
        drop(l, out->list[i].state);
}

static uint32_t count_result(const struct outcomes *out, plumb_value result)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < out->count; i++)
        count += out->list[i].result == result;
    return count;
}

static bool has_outcome(const struct laws *l, const struct outcomes *out, const struct outcome *wanted)
{
    for (uint32_t i = 0; i < out->count; i++)
        if (out->list[i].result == wanted->result && is_same(l, out->list[i].state, wanted->state))
            return true;
    return false;
}

/* Their order does not matter: equal states may be stored in different ways. */
static bool are_same(const struct laws *l, const struct outcomes *a, const struct outcomes *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!has_outcome(l, b, &a->list[i]))
            return false;
    return true;
}

/* Does `call` have these outcomes in `state`, too? */
static bool has_same(struct laws *l, const void *state, const struct plumb_call *call,
                     const struct outcomes *expected)
{
    struct outcomes found;
    list_outcomes(l, state, call, &found);
    bool same = are_same(l, expected, &found);
    free_outcomes(l, &found);
    return same;
}

/* --- laws about one call ----------------------------------------------------------------------------------------- */

static bool may_answer(const struct laws *l, const struct plumb_call *call, plumb_value result)
{
    struct shape shape = shape_of(&l->spec->operations[call->op]);
    return result != PLUMB_ANY && (shape.results >> shape_class_of(l->sampler.values, result) & 1);
}

/* With the result known, exactly the outcomes with that result are left. */
static void try_known_result(struct laws *l, const void *state, const struct outcomes *all,
                             plumb_value result)
{
    struct plumb_call call = l->call;
    struct outcomes known;
    call.result = result;
    list_outcomes(l, state, &call, &known);
    bool fits = known.count == count_result(all, result);
    for (uint32_t i = 0; i < known.count; i++)
        fits &= known.list[i].result == result && has_outcome(l, all, &known.list[i]);
    demand(l, fits, "a call whose result is known has the outcomes with that result, and no others");
    demand(l, !l->spec->deterministic || known.count <= 1,
           "with .deterministic, a call whose result is known has at most one outcome");
    bool free_of_effect = spec_effect_free(l->spec, &call);
    for (uint32_t i = 0; i < known.count && free_of_effect; i++)
        demand(l, is_same(l, known.list[i].state, state),
               "an operation that reads (.reads, or by effect_free) leaves the state as it was");
    free_outcomes(l, &known);
}

static void try_results(struct laws *l, const void *state, const struct outcomes *all)
{
    for (uint32_t i = 0; i < all->count; i++) {
        demand(l, may_answer(l, &l->call, all->list[i].result),
               "step answers what the letters of the operation's results allow");
        if (!l->broken)
            try_known_result(l, state, all, all->list[i].result);
    }
    const plumb_value others[] = {PLUMB_NONE, PLUMB_TRUE, PLUMB_FALSE, plumb_int(l->sampler.values, 777)};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!l->broken && may_answer(l, &l->call, others[i]) && !count_result(all, others[i]))
            try_known_result(l, state, all, others[i]);
}

static void try_threads(struct laws *l, const void *state, const struct outcomes *all)
{
    struct plumb_call other = l->call;
    other.thread++;
    if (!l->spec->thread_matters)
        demand(l, has_same(l, state, &other, all),
               "without .thread_matters, it makes no difference which thread calls");
}

/* The only outcome of `call`, which happens in `state`; false: there is not exactly one. */
static bool step_only(const struct laws *l, void *state, const struct plumb_call *call, plumb_value *result)
{
    void *trial = l->spec->clone(state);
    bool more = l->spec->step(trial, call, 1, result);
    l->spec->destroy(trial);
    return !more && l->spec->step(state, call, 0, result);
}

static void try_keys(struct laws *l, const void *state)
{
    const struct plumb_spec *spec = l->spec;
    if (!spec->key)
        return;
    struct plumb_call a = l->call, b = spec_sample_call(&l->sampler, THREADS);
    if (spec->key(l->sampler.values, &a) == spec->key(l->sampler.values, &b))
        return;
    plumb_value first[2], second[2];
    void *ab = spec->clone(state), *ba = spec->clone(state);
    bool comparable = step_only(l, ab, &a, &first[0]) && step_only(l, ab, &b, &first[1]) &&
                      step_only(l, ba, &b, &second[1]) && step_only(l, ba, &a, &second[0]);
    demand(l, !comparable || (first[0] == second[0] && first[1] == second[1] && is_same(l, ab, ba)),
           "calls with different keys do not depend on each other");
    drop(l, ab);
    drop(l, ba);
}

/* --- laws about states ------------------------------------------------------------------------------------------- */

static void try_print(struct laws *l, const void *state)
{
    char buffer[64];
    memset(buffer, '#', sizeof buffer);
    l->spec->print(state, buffer, sizeof buffer / 2);
    demand(l, memchr(buffer, 0, sizeof buffer / 2) != NULL,
           "print ends its text with a zero, within the buffer");
    demand(l, buffer[sizeof buffer / 2] == '#', "print writes nothing behind the buffer");
}

static void try_clone(struct laws *l, const void *state)
{
    const struct plumb_spec *spec = l->spec;
    uint64_t hash = spec->hash(state);
    demand(l, spec->equal(state, state), "a state is equal to itself");
    demand(l, spec->hash(state) == hash, "hash is a function of the state");
    void *copy = spec->clone(state);
    demand(l, copy && copy != state, "clone makes a new state");
    if (!l->broken) {
        demand(l, spec->equal(state, copy) && spec->equal(copy, state), "a clone is equal to its original");
        demand(l, spec->hash(state) == spec->hash(copy), "a clone has the hash of its original");
        drop(l, copy);
    }
}

/* Against states seen before: equal ones have to look the same, and to stay so. */
static void try_equality(struct laws *l, const void *state, const struct outcomes *all)
{
    const struct plumb_spec *spec = l->spec;
    for (uint32_t i = 0; i < l->seen_count && !l->broken; i++) {
        const void *other = l->seen[i];
        bool equal = spec->equal(state, other);
        demand(l, equal == spec->equal(other, state), "equal does not depend on the order of its arguments");
        if (!equal)
            continue;
        demand(l, spec->hash(state) == spec->hash(other), "equal states have equal hashes");
        demand(l, has_same(l, other, &l->call, all), "a call has the same outcomes in equal states");
    }
}

static void remember(struct laws *l, const void *state)
{
    void *copy = l->spec->clone(state);
    uint32_t place =
        l->seen_count < SEEN_MOST ? l->seen_count++ : (uint32_t)spec_sample_number(&l->sampler, SEEN_MOST);
    if (l->seen[place])
        l->spec->destroy(l->seen[place]);
    l->seen[place] = copy;
}

/* --- walks ------------------------------------------------------------------------------------------------------- */

static void try_call(struct laws *l, const void *state, const struct outcomes *all)
{
    demand(l, !l->spec->blocks || l->spec->blocks(state, &l->call) == (all->count == 0),
           "blocks says that a call waits exactly when it has no outcome");
    if (all->count == OUTCOMES_MOST) { /* they cannot be compared */
        try_end_of_outcomes(l, state);
        return;
    }
    demand(l, has_same(l, state, &l->call, all), "step is a function of the state, the call and the choice");
    if (!l->broken)
        try_results(l, state, all);
    if (!l->broken)
        try_threads(l, state, all);
    if (!l->broken)
        try_equality(l, state, all);
    if (!l->broken)
        try_keys(l, state);
}

/* Tries everything in `state`, which is given up, and returns a state that may follow. */
static void *visit(struct laws *l, void *state)
{
    l->calling = false;
    try_print(l, state);
    try_clone(l, state);
    if (l->broken)
        return state;
    l->call = spec_sample_call(&l->sampler, THREADS);
    l->calling = true;
    struct outcomes all;
    void *before = l->spec->clone(state);
    list_outcomes(l, state, &l->call, &all);
    demand(l, is_same(l, state, before), "a step in a clone leaves the original as it was");
    drop(l, before);
    if (!l->broken)
        try_call(l, state, &all);
    if (!l->broken)
        remember(l, state);
    if (all.count) {
        uint32_t chosen = (uint32_t)spec_sample_number(&l->sampler, all.count);
        void *next = all.list[chosen].state;
        all.list[chosen].state = state; /* to be destroyed with the others */
        state = next;
    }
    free_outcomes(l, &all);
    return state;
}

static void walk(struct laws *l)
{
    struct plumb_spec_options options = {.values = l->sampler.values, .initial = PLUMB_OK};
    void *state = spec_init(l->spec, &options);
    l->calling = false;
    demand(l, state != NULL, "init answers a state");
    for (uint32_t i = 0; i < WALK_STEPS && !l->broken; i++)
        state = visit(l, state);
    if (state)
        drop(l, state);
}

bool spec_laws_hold(const struct plumb_spec *spec, struct diagnostic *d)
{
    struct laws l = {.spec = spec, .sampler = {.spec = spec, .values = plumb_values_create(), .random = 1}};
    for (uint32_t i = 0; i < WALKS && !l.broken; i++)
        walk(&l);
    for (uint32_t i = 0; i < l.seen_count; i++)
        drop(&l, l.seen[i]);
    if (l.broken)
        diagnostic_set(d, PL_BAD_SPEC, 0, 0, "the specification %s breaks a law: %s%s", spec->name, l.broken,
                       l.where.len ? l.where.data : "");
    text_free(&l.where);
    plumb_values_destroy(l.sampler.values);
    return !l.broken;
}
