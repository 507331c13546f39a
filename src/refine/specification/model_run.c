/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/specification/model_run.h"

#include <string.h>

/* Looking at calls ends after so many states: a model has its calls in a few places. */
enum { STATES_LOOKED_AT = 4096, STATES_ON_THE_WAY = 1 << 16 };

/* --- what calls there are ---------------------------------------------------------------------------------------- */

static void look_at(const struct refine_system *s, const struct refine_step *step, uint8_t *next,
                    struct model_calls *calls)
{
    if (step->kind != REFINE_CALL)
        return;
    calls->arg_counts[step->op] = step->arg_count;
    for (unsigned i = 0; i < step->arg_count; i++) {
        bool is_stored = step->args[i] != REFINE_NOWHERE;
        calls->only_items &= is_stored && s->locations[step->args[i]].is_data;
        if (is_stored)
            refine_store(&s->locations[step->args[i]], next, 1);
    }
}

void model_look(const struct refine_system *s, struct model_calls *calls)
{
    struct intern seen = {0};
    struct refine_steps steps = {0};
    OWNED uint8_t *state = NEW_ARRAY(uint8_t, s->state_size + 1);
    *calls = (struct model_calls){.only_items = true};
    s->initial(s, state);
    intern_add(&seen, state, s->state_size, NULL);
    for (uint32_t i = 0; i < intern_count(&seen) && i < STATES_LOOKED_AT; i++) {
        memcpy(state, intern_get(&seen, i, NULL), s->state_size);
        refine_steps_clear(&steps);
        s->steps(s, state, &steps);
        for (size_t k = 0; k < steps.steps.len; k++) {
            uint8_t *next = steps.states.data + k * s->state_size;
            look_at(s, &steps.steps.data[k], next, calls);
            if (steps.steps.data[k].kind != REFINE_FAULT)
                intern_add(&seen, next, s->state_size, NULL);
        }
    }
    intern_free(&seen);
    refine_steps_free(&steps);
}

/* --- from call to return ------------------------------------------------------------------------------------------ */

/* States on the way, each behind a byte that says whether the operation has begun. */
struct search {
    struct model_run *run;
    struct intern seen;
    uint8_t *scratch;
};

static void see(struct search *x, bool begun, const uint8_t *state)
{
    uint32_t size = x->run->system->state_size;
    x->scratch[0] = begun;
    memcpy(x->scratch + 1, state, size);
    intern_add(&x->seen, x->scratch, size + 1, NULL);
}

static void end(struct search *x, int32_t answer, const uint8_t *state)
{
    uint32_t size = x->run->system->state_size;
    memcpy(x->scratch, &answer, sizeof answer);
    memcpy(x->scratch + sizeof answer, state, size);
    intern_add(&x->run->ends, x->scratch, size + sizeof answer, NULL);
}

/* False: the call has another argument. */
static bool store_arguments(const struct model_run *r, const struct refine_step *step, uint8_t *state)
{
    for (unsigned i = 0; i < step->arg_count; i++) {
        if (step->args[i] != REFINE_NOWHERE)
            refine_store(&r->system->locations[step->args[i]], state, r->args[i]);
        else if (step->constants[i] != r->args[i])
            return false;
    }
    return true;
}

static void follow(struct search *x, bool begun, const struct refine_step *step, uint8_t *state)
{
    bool is_ours = step->op == x->run->op;
    if (step->kind == REFINE_FAULT)
        x->run->problem = "the specification's model fails an assertion or leaves an array";
    else if (begun && (step->kind == REFINE_CALL || (step->kind == REFINE_RETURN && !is_ours)))
        x->run->problem = "the specification's model calls or returns inside another operation";
    if (step->kind == REFINE_INTERNAL)
        see(x, begun, state);
    else if (step->kind == REFINE_CALL && !begun && is_ours && store_arguments(x->run, step, state))
        see(x, true, state);
    else if (step->kind == REFINE_RETURN && begun && is_ours)
        end(x, step->value, state);
}

void model_run(struct model_run *r)
{
    const struct refine_system *s = r->system;
    struct refine_steps steps = {0};
    struct search x = {.run = r};
    OWNED uint8_t *state = NEW_ARRAY(uint8_t, s->state_size + 1);
    x.scratch = NEW_ARRAY(uint8_t, s->state_size + sizeof(int32_t));
    intern_clear(&r->ends);
    see(&x, false, r->state);
    for (uint32_t i = 0; i < intern_count(&x.seen); i++) {
        if (i == STATES_ON_THE_WAY) {
            r->problem = "an operation of the specification's model has too many steps";
            intern_clear(&r->ends);
            break;
        }
        const uint8_t *seen = intern_get(&x.seen, i, NULL);
        bool begun = seen[0];
        memcpy(state, seen + 1, s->state_size);
        refine_steps_clear(&steps);
        s->steps(s, state, &steps);
        for (size_t k = 0; k < steps.steps.len; k++)
            follow(&x, begun, &steps.steps.data[k], steps.states.data + k * s->state_size);
    }
    intern_free(&x.seen);
    refine_steps_free(&steps);
    free(x.scratch);
}
