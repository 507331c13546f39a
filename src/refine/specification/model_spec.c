/* SPDX-License-Identifier: Apache-2.0 */

#include "base/hash.h"
#include "refine/specification/model_run.h"

#include <string.h>

struct model_spec {
    struct plumb_spec spec; /* first */
    const struct refine_system *system;
    struct plumb_operation *operations;
    char (*args)[REFINE_ARGS_MAX + 1];
    const char *problem; /* met so far; null: none */
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

static void read_arguments(const struct state *s, const struct plumb_call *call, int32_t *args)
{
    unsigned count = (unsigned)strlen(s->m->args[call->op]);
    for (unsigned i = 0; i < count; i++)
        args[i] = (int32_t)plumb_int_of(s->values,
                                        count == 1 ? call->arg : plumb_array_item(s->values, call->arg, i));
}

static plumb_value answer_of(struct plumb_values *values, int32_t value)
{
    if (value == REFINE_OK)
        return PLUMB_OK;
    if (value == REFINE_FULL)
        return PLUMB_FALSE; /* as bounded_answer has it */
    return value == REFINE_NONE ? PLUMB_NONE : plumb_int(values, value);
}

static bool take_end(struct state *s, const struct intern *ends, const struct plumb_call *call,
                     unsigned choice, plumb_value *result)
{
    for (uint32_t i = 0; i < intern_count(ends); i++) {
        int32_t value;
        const uint8_t *bytes = intern_get(ends, i, NULL);
        memcpy(&value, bytes, sizeof value);
        plumb_value answer = answer_of(s->values, value);
        if ((call->result != PLUMB_ANY && call->result != answer) || choice-- > 0)
            continue;
        memcpy(s->bytes, bytes + sizeof value, s->m->system->state_size);
        if (result)
            *result = answer;
        return true;
    }
    return false;
}

static bool step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct state *s = state;
    struct model_run run = {.system = s->m->system, .state = s->bytes, .op = (uint8_t)call->op};
    read_arguments(s, call, run.args);
    model_run(&run);
    if (run.problem)
        ((struct model_spec *)s->m)->problem = run.problem;
    bool possible = take_end(s, &run.ends, call, choice, result);
    intern_free(&run.ends);
    return possible;
}

/* --- making one --------------------------------------------------------------------------------------------------- */

struct plumb_spec *model_spec_new(const struct refine_system *s)
{
    struct model_spec *m = NEW(struct model_spec);
    struct model_calls calls;
    m->system = s;
    m->operations = NEW_ZEROED(struct plumb_operation, s->op_count + 1);
    m->args = base_alloc_zero(s->op_count + 1, sizeof *m->args);
    model_look(s, &calls);
    for (uint32_t i = 0; i < s->op_count; i++) {
        memset(m->args[i], 'v', calls.arg_counts[i]);
        m->operations[i] = (struct plumb_operation){.name = s->ops[i], .args = m->args[i], .results = "kNv"};
    }
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

const char *model_spec_problem(const struct plumb_spec *spec)
{
    return ((const struct model_spec *)spec)->problem;
}

void model_spec_free(struct plumb_spec *spec)
{
    struct model_spec *m = (struct model_spec *)spec;
    free(m->operations);
    free(m->args);
    free(m);
}
