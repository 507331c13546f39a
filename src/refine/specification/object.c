/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/automata/aut.h"

#include "base/check.h"
#include "spec/quasi/spec_quasi.h"
#include "spec/registry.h"
#include "spec/states.h"

#include <stdio.h>
#include <string.h>

enum thread_status { IDLE, CALLED, DONE };

/* A state vector: what the specification's state is, how many items are inside, and what each thread does. */
struct thread_part {
    int32_t args[REFINE_ARGS_MAX];
    int32_t answer;
    uint8_t status, op;
    uint8_t spare[2];
};

struct state {
    uint32_t spec_state;
    int32_t items;
    struct thread_part threads[REFINE_THREADS_MAX];
};

struct object_op {
    uint32_t number; /* in the specification */
    uint8_t arg_count;
    enum plumb_role role;
};

struct object {
    struct refine_system system;
    struct refine_object_settings settings;
    const struct plumb_spec *spec; /* relaxed, if asked for */
    struct plumb_values *values;
    struct spec_states states;
    struct object_op ops[UINT8_MAX];
    struct refine_location locations[REFINE_THREADS_MAX * REFINE_ARGS_MAX];
    uint32_t offsets[REFINE_THREADS_MAX];
};

static int32_t number_of_answer(const struct object *o, plumb_value v)
{
    if (v == PLUMB_OK)
        return REFINE_OK;
    if (v == PLUMB_NONE)
        return REFINE_NONE;
    if (plumb_is_bool(v))
        return v == PLUMB_TRUE;
    return plumb_is_int(v) ? (int32_t)plumb_int_of(o->values, v) : REFINE_FULL - 512;
}

/* --- steps ----------------------------------------------------------------------------------------------------- */

static void add_step(struct object *o, struct refine_steps *out, const struct refine_step *step,
                     const struct state *next)
{
    vec_push(&out->steps, *step);
    vec_reserve(&out->states, out->states.len + o->system.state_size);
    memcpy(out->states.data + out->states.len, next, o->system.state_size);
    out->states.len += o->system.state_size;
}

static void add_calls(struct object *o, const struct state *s, uint32_t thread, struct refine_steps *out)
{
    for (uint32_t op = 0; op < o->system.op_count; op++) {
        struct state next = *s;
        struct refine_step step = {.kind = REFINE_CALL,
                                   .thread = (uint8_t)thread,
                                   .op = (uint8_t)op,
                                   .arg_count = o->ops[op].arg_count};
        for (uint16_t i = 0; i < step.arg_count; i++)
            step.args[i] = (uint16_t)(thread * REFINE_ARGS_MAX + i);
        next.threads[thread] = (struct thread_part){.status = CALLED, .op = (uint8_t)op};
        add_step(o, out, &step, &next);
    }
}

static void add_return(struct object *o, const struct state *s, uint32_t thread, struct refine_steps *out)
{
    const struct thread_part *t = &s->threads[thread];
    struct refine_step step = {
        .kind = REFINE_RETURN, .thread = (uint8_t)thread, .op = t->op, .value = t->answer};
    struct state next = *s;
    next.threads[thread] = (struct thread_part){0};
    add_step(o, out, &step, &next);
}

static void add_effect(struct object *o, const struct state *s, uint32_t thread, uint32_t spec_state,
                       int32_t items, int32_t answer, struct refine_steps *out)
{
    struct refine_step step = {.kind = REFINE_INTERNAL, .thread = (uint8_t)thread};
    struct state next = *s;
    next.spec_state = spec_state;
    next.items = items;
    next.threads[thread] =
        (struct thread_part){.status = DONE, .op = s->threads[thread].op, .answer = answer};
    add_step(o, out, &step, &next);
}

/* How many items are inside after the answer; only counted when somebody asks. */
static int32_t items_after(const struct object *o, const struct state *s, const struct object_op *op,
                           plumb_value answer)
{
    if (!o->settings.capacity)
        return 0;
    if (op->role == PLUMB_ADDS && answer != PLUMB_FALSE)
        return s->items + 1;
    if (op->role == PLUMB_REMOVES && answer != PLUMB_NONE && answer != PLUMB_FALSE)
        return s->items - 1;
    return s->items;
}

/* `asked`: only this answer; ANY: every one. */
static void add_outcomes(struct object *o, const struct state *s, uint32_t thread, plumb_value asked,
                         struct refine_steps *out)
{
    const struct thread_part *t = &s->threads[thread];
    const struct object_op *op = &o->ops[t->op];
    struct plumb_call call = {.op = op->number,
                              .thread = thread,
                              .arg = refine_argument(o->values, t->args, op->arg_count),
                              .result = asked};
    bool any = asked == PLUMB_ANY, there = true;
    for (unsigned choice = 0; there; choice++) {
        void *next = o->spec->clone(o->states.list.data[s->spec_state]);
        plumb_value answer = any ? PLUMB_OK : asked;
        there = o->spec->step(next, &call, choice, any ? &answer : NULL);
        if (there && spec_accepts(o->spec, next))
            add_effect(o, s, thread, spec_states_add(&o->states, o->spec, next),
                       items_after(o, s, op, answer), number_of_answer(o, answer), out);
        else
            o->spec->destroy(next);
    }
}

/* A relaxed specification answers anything when asked for any result: it has to be asked for each answer. */
static void add_asked_outcomes(struct object *o, const struct state *s, uint32_t thread,
                               struct refine_steps *out)
{
    const char *results = o->spec->operations[o->ops[s->threads[thread].op].number].results;
    if (strchr(results, 'k'))
        add_outcomes(o, s, thread, PLUMB_OK, out);
    if (strchr(results, 'N'))
        add_outcomes(o, s, thread, PLUMB_NONE, out);
    if (strchr(results, 'b')) {
        add_outcomes(o, s, thread, PLUMB_FALSE, out);
        add_outcomes(o, s, thread, PLUMB_TRUE, out);
    }
    for (uint32_t v = 1; strchr(results, 'v') && v <= o->settings.free_values; v++)
        add_outcomes(o, s, thread, plumb_int(o->values, v), out);
}

static void add_effects(struct object *o, const struct state *s, uint32_t thread, struct refine_steps *out)
{
    const struct object_op *op = &o->ops[s->threads[thread].op];
    bool adds = op->role == PLUMB_ADDS;
    bool at_most = o->settings.capacity && s->items == (int32_t)o->settings.capacity;
    if (adds &&
        (o->settings.full == REFINE_FULL_ANY || (o->settings.full == REFINE_FULL_CAPACITY && at_most)))
        add_effect(o, s, thread, s->spec_state, s->items, REFINE_FULL, out);
    if (adds && at_most)
        return;
    if (o->settings.quasi)
        add_asked_outcomes(o, s, thread, out);
    else
        add_outcomes(o, s, thread, PLUMB_ANY, out);
}

/* --- as a system ------------------------------------------------------------------------------------------------ */

static void initial(const struct refine_system *system, uint8_t *state)
{
    memset(state, 0, system->state_size);
}

static void steps(const struct refine_system *system, const uint8_t *bytes, struct refine_steps *out)
{
    struct object *o = (struct object *)system;
    struct state s = {0};
    memcpy(&s, bytes, system->state_size);
    for (uint32_t t = 0; t < system->threads; t++) {
        switch (s.threads[t].status) {
        case IDLE: add_calls(o, &s, t, out); break;
        case CALLED: add_effects(o, &s, t, out); break;
        default: add_return(o, &s, t, out); break;
        }
    }
}

static struct refine_place describe(const struct refine_system *system, uint32_t place)
{
    (void)system, (void)place;
    return (struct refine_place){0};
}

static void destroy(struct refine_system *system)
{
    struct object *o = (struct object *)system;
    spec_states_free(&o->states, o->spec);
    if (o->spec && o->settings.quasi)
        spec_quasi_free(o->spec);
    plumb_values_destroy(o->values);
    free(o);
}

/* --- making one --------------------------------------------------------------------------------------------------- */

static bool map_operations(struct object *o, struct diagnostic *d)
{
    const struct plumb_spec *spec = o->settings.spec;
    const struct refine_system *model = o->settings.model;
    for (uint32_t i = 0; i < model->op_count; i++) {
        uint32_t number = spec_operation(spec, model->ops[i]);
        if (number == UINT32_MAX)
            return diagnostic_set(d, PL_UNKNOWN_OPERATION, 0, 0, "the specification %s has no operation '%s'",
                                  spec->name, model->ops[i]);
        size_t args = strlen(spec->operations[number].args);
        if (args > REFINE_ARGS_MAX)
            return diagnostic_set(d, PL_BAD_ARGUMENT, 0, 0, "%s has more than %d arguments", model->ops[i],
                                  REFINE_ARGS_MAX);
        o->ops[i] = (struct object_op){number, (uint8_t)args, spec_quasi_role(spec, number)};
    }
    return true;
}

/* The alphabet that a relaxed specification moves: every operation with every argument. */
static const struct plumb_spec *relax(struct object *o)
{
    OWNED VEC(struct plumb_call) calls = {0};
    for (uint32_t i = 0; i < o->settings.model->op_count; i++) {
        for (uint32_t v = 1; v <= o->settings.free_values; v++) {
            int32_t arg = (int32_t)v;
            struct plumb_call call = {.op = o->ops[i].number,
                                      .arg = refine_argument(o->values, &arg, o->ops[i].arg_count),
                                      .result = PLUMB_ANY};
            if (v == 1 || o->ops[i].arg_count)
                vec_push(&calls, call);
        }
    }
    const struct plumb_spec *relaxed =
        spec_quasi_new(o->settings.spec, o->settings.quasi, o->values, calls.data, calls.len);
    return relaxed;
}

static void fill_system(struct object *o)
{
    struct refine_system *s = &o->system;
    const struct refine_system *model = o->settings.model;
    s->name = o->settings.spec->name;
    s->threads = model->threads;
    s->ops = model->ops;
    s->op_count = model->op_count;
    s->state_size = (uint32_t)(offsetof(struct state, threads) + s->threads * sizeof(struct thread_part));
    for (uint32_t i = 0; i < s->threads * REFINE_ARGS_MAX; i++)
        o->locations[i] =
            (struct refine_location){.offset = (uint32_t)(offsetof(struct state, threads) +
                                                          i / REFINE_ARGS_MAX * sizeof(struct thread_part) +
                                                          i % REFINE_ARGS_MAX * sizeof(int32_t)),
                                     .width = sizeof(int32_t)};
    s->locations = o->locations;
    s->location_count = s->threads * REFINE_ARGS_MAX;
    s->initial = initial;
    s->steps = steps;
    s->describe = describe;
}

struct refine_system *refine_object_new(const struct refine_object_settings *settings, struct diagnostic *d)
{
    if (!settings->spec) {
        diagnostic_set(d, PL_USAGE, 0, 0, "only built-in specifications can be written out");
        return NULL;
    }
    struct object *o = NEW(struct object);
    o->settings = *settings;
    o->system.destroy = destroy;
    o->values = plumb_values_create();
    if (!map_operations(o, d)) {
        o->settings.quasi = NULL;
        destroy(&o->system);
        return NULL;
    }
    o->spec = settings->quasi ? relax(o) : settings->spec;
    struct plumb_spec_options options = {.values = o->values, .initial = PLUMB_OK};
    spec_states_add(&o->states, o->spec, spec_init(o->spec, &options));
    fill_system(o);
    return &o->system;
}
