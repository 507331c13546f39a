/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/model_spec.h"

#include "base/hash.h"
#include "refine/intern.h"

#include <string.h>

enum { STATES_LOOKED_AT = 4096 };

struct model_spec {
    struct plumb_spec spec; /* first */
    const struct refine_system *system;
    struct plumb_operation *operations;
    char (*args)[REFINE_ARGS_MAX + 1];
};

/* Between two operations. */
struct state {
    const struct model_spec *m;
    struct plumb_values *values;
    uint8_t bytes[];
};

/* --- states ------------------------------------------------------------------------------------------------------ */

static void *init(const struct plumb_spec *spec, const struct plumb_spec_options *options)
{
    const struct model_spec *m = (const struct model_spec *)spec;
    struct state *s = base_alloc(sizeof *s + m->system->state_size);
    s->m = m;
    s->values = options->values;
    m->system->initial(m->system, s->bytes);
    return s;
}

static void destroy(void *state)
{
    free(state);
}

static void *clone(const void *state)
{
    const struct state *s = state;
    struct state *copy = base_alloc(sizeof *s + s->m->system->state_size);
    memcpy(copy, s, sizeof *s + s->m->system->state_size);
    return copy;
}

static uint64_t hash(const void *state)
{
    const struct state *s = state;
    return hash_bytes(s->bytes, s->m->system->state_size);
}

static bool equal(const void *a, const void *b)
{
    const struct state *x = a, *y = b;
    return !memcmp(x->bytes, y->bytes, x->m->system->state_size);
}

static size_t print(const void *state, char *buffer, size_t size)
{
    const struct state *s = state;
    if (s->m->system->print)
        return s->m->system->print(s->m->system, s->bytes, buffer, size);
    if (size)
        buffer[0] = 0;
    return 0;
}

/* --- operations --------------------------------------------------------------------------------------------------- */

/* A search through what happens from the call to the return. Strings are a byte that says whether the operation has begun,
 * and a state; ends have the answer, and the state. */
struct running {
    const struct state *from;
    const struct plumb_call *call;
    struct intern seen, ends;
    struct refine_steps steps;
    uint8_t *scratch;
};

static void see(struct running *r, bool begun, const uint8_t *state)
{
    uint32_t size = r->from->m->system->state_size;
    r->scratch[0] = begun;
    memmove(r->scratch + 1, state, size);
    intern_add(&r->seen, r->scratch, size + 1, NULL);
}

static void end(struct running *r, plumb_value answer, const uint8_t *state)
{
    uint32_t size = r->from->m->system->state_size;
    memcpy(r->scratch, &answer, sizeof answer);
    memcpy(r->scratch + sizeof answer, state, size);
    intern_add(&r->ends, r->scratch, size + sizeof answer, NULL);
}

static int32_t argument(const struct running *r, unsigned i, unsigned count)
{
    const struct plumb_values *values = r->from->values;
    return (int32_t)plumb_int_of(values, count == 1 ? r->call->arg
                                                    : plumb_array_item(values, r->call->arg, i));
}

/* False: the call has another argument. */
static bool store_arguments(const struct running *r, const struct refine_step *step, uint8_t *state)
{
    for (unsigned i = 0; i < step->arg_count; i++) {
        int32_t value = argument(r, i, step->arg_count);
        if (step->args[i] != REFINE_NOWHERE)
            refine_store(&r->from->m->system->locations[step->args[i]], state, value);
        else if (step->constants[i] != value)
            return false;
    }
    return true;
}

static plumb_value answer_of(const struct running *r, int32_t value)
{
    if (value == REFINE_OK)
        return PLUMB_OK;
    return value == REFINE_NONE ? PLUMB_NONE : plumb_int(r->from->values, value);
}

static void follow(struct running *r, bool begun, const struct refine_step *step, uint8_t *state)
{
    bool is_ours = step->op == r->call->op;
    if (step->kind == REFINE_INTERNAL)
        see(r, begun, state);
    else if (step->kind == REFINE_CALL && !begun && is_ours && store_arguments(r, step, state))
        see(r, true, state);
    else if (step->kind == REFINE_RETURN && begun && is_ours)
        end(r, answer_of(r, step->value), state);
}

static void run_operation(struct running *r)
{
    const struct refine_system *s = r->from->m->system;
    uint8_t *state = NEW_ARRAY(uint8_t, s->state_size + 1);
    see(r, false, r->from->bytes);
    for (uint32_t i = 0; i < intern_count(&r->seen); i++) {
        const uint8_t *seen = intern_get(&r->seen, i, NULL);
        bool begun = seen[0];
        memcpy(state, seen + 1, s->state_size);
        refine_steps_clear(&r->steps);
        s->steps(s, state, &r->steps);
        for (size_t k = 0; k < r->steps.steps.len; k++)
            follow(r, begun, &r->steps.steps.data[k], r->steps.states.data + k * s->state_size);
    }
    free(state);
}

static bool take_end(struct running *r, struct state *s, unsigned choice, plumb_value *result)
{
    for (uint32_t i = 0; i < intern_count(&r->ends); i++) {
        plumb_value answer;
        const uint8_t *bytes = intern_get(&r->ends, i, NULL);
        memcpy(&answer, bytes, sizeof answer);
        if ((r->call->result != PLUMB_ANY && r->call->result != answer) || choice-- > 0)
            continue;
        memcpy(s->bytes, bytes + sizeof answer, s->m->system->state_size);
        if (result)
            *result = answer;
        return true;
    }
    return false;
}

static bool step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct state *s = state;
    struct running r = {.from = s, .call = call};
    r.scratch = NEW_ARRAY(uint8_t, s->m->system->state_size + sizeof(plumb_value));
    run_operation(&r);
    bool possible = take_end(&r, s, choice, result);
    intern_free(&r.seen);
    intern_free(&r.ends);
    refine_steps_free(&r.steps);
    free(r.scratch);
    return possible;
}

/* --- making one --------------------------------------------------------------------------------------------------- */

/* How many arguments operations have is seen in their calls. */
static void look_for_calls(struct model_spec *m)
{
    const struct refine_system *s = m->system;
    struct intern seen = {0};
    struct refine_steps steps = {0};
    uint8_t *state = NEW_ARRAY(uint8_t, s->state_size + 1);
    s->initial(s, state);
    intern_add(&seen, state, s->state_size, NULL);
    for (uint32_t i = 0; i < intern_count(&seen) && i < STATES_LOOKED_AT; i++) {
        memcpy(state, intern_get(&seen, i, NULL), s->state_size);
        refine_steps_clear(&steps);
        s->steps(s, state, &steps);
        for (size_t k = 0; k < steps.steps.len; k++) {
            const struct refine_step *step = &steps.steps.data[k];
            uint8_t *next = steps.states.data + k * s->state_size;
            for (unsigned a = 0; a < step->arg_count && step->kind == REFINE_CALL; a++) {
                m->args[step->op][a] = 'v';
                if (step->args[a] != REFINE_NOWHERE)
                    refine_store(&s->locations[step->args[a]], next, 1);
            }
            if (step->kind != REFINE_FAULT)
                intern_add(&seen, next, s->state_size, NULL);
        }
    }
    intern_free(&seen);
    refine_steps_free(&steps);
    free(state);
}

struct plumb_spec *model_spec_new(const struct refine_system *s)
{
    struct model_spec *m = NEW(struct model_spec);
    m->system = s;
    m->operations = NEW_ZEROED(struct plumb_operation, s->op_count + 1);
    m->args = base_alloc_zero(s->op_count + 1, sizeof *m->args);
    look_for_calls(m);
    for (uint32_t i = 0; i < s->op_count; i++)
        m->operations[i] = (struct plumb_operation){.name = s->ops[i], .args = m->args[i], .results = "kNv"};
    m->spec = (struct plumb_spec){
        .name = s->name,
        .summary = "a model",
        .operations = m->operations,
        .operation_count = s->op_count,
        .init_of = init,
        .destroy = destroy,
        .clone = clone,
        .hash = hash,
        .equal = equal,
        .step = step,
        .print = print,
    };
    return &m->spec;
}

void model_spec_free(struct plumb_spec *spec)
{
    struct model_spec *m = (struct model_spec *)spec;
    free(m->operations);
    free(m->args);
    free(m);
}
