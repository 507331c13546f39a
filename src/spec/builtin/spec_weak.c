/* SPDX-License-Identifier: Apache-2.0 */
/* "queue(weak)": operations that can fail may do so in every state, and have no effect then. All else is exact. */
#include "spec/builtin/builtin.h"

#include "base/memory.h"
#include "spec/registry.h"

#include <string.h>

struct weak_state {
    const struct plumb_spec *base;
    void *state; /* of the base */
};

/* What the operation answers when it fails; PLUMB_OK: it never does. */
static plumb_value failure_of(const struct plumb_operation *o)
{
    bool takes = o->role == PLUMB_REMOVES || o->role == PLUMB_LOOKS;
    if (takes && strchr(o->results, 'N'))
        return PLUMB_NONE;
    bool has_room = o->role == PLUMB_ADDS && strchr(o->results, 'b') && strchr(o->results, 'k');
    return has_room || o->role == PLUMB_EXCHANGES || !strncmp(o->name, "try_", 4) ? PLUMB_FALSE : PLUMB_OK;
}

plumb_value spec_weak_failure(const struct plumb_spec *spec, uint32_t op)
{
    return spec_base_of_weak(spec) ? failure_of(&spec->operations[op]) : PLUMB_OK;
}

bool spec_weak_is_possible(const struct plumb_spec *base)
{
    for (uint32_t i = 0; i < base->operation_count; i++)
        if (failure_of(&base->operations[i]) != PLUMB_OK)
            return true;
    return false;
}

static struct weak_state *create(const struct plumb_spec *base, void *state)
{
    struct weak_state *s = NEW(struct weak_state);
    *s = (struct weak_state){base, state};
    return s;
}

static void *init(const struct plumb_spec *spec, const struct plumb_spec_options *options)
{
    const struct plumb_spec *base = spec_base_of_weak(spec);
    return create(base, spec_init(base, options));
}

static void destroy(void *state)
{
    struct weak_state *s = state;
    s->base->destroy(s->state);
    free(s);
}

static void *clone(const void *state)
{
    const struct weak_state *s = state;
    return create(s->base, s->base->clone(s->state));
}

static uint64_t hash(const void *state)
{
    const struct weak_state *s = state;
    return s->base->hash(s->state);
}

static bool equal(const void *a, const void *b)
{
    const struct weak_state *x = a, *y = b;
    return x->base->equal(x->state, y->state);
}

static size_t print(const void *state, char *buffer, size_t size)
{
    const struct weak_state *s = state;
    return s->base->print(s->state, buffer, size);
}

static size_t footprint(const void *state)
{
    const struct weak_state *s = state;
    return sizeof *s + (s->base->footprint ? s->base->footprint(s->state) : 256);
}

/* Is the failure, with an answer that is not known, outcome number `choice`? It comes after those of the base, unless
 * it is one of them. */
static bool is_extra_outcome(const struct weak_state *s, const struct plumb_call *call, unsigned choice,
                             plumb_value failure)
{
    if (!choice)
        return false;
    void *trial = s->base->clone(s->state);
    plumb_value answer = PLUMB_OK;
    bool last = s->base->step(trial, call, choice - 1, &answer) && answer != failure;
    s->base->destroy(trial);
    return last;
}

static bool step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct weak_state *s = state;
    plumb_value failure = failure_of(&s->base->operations[call->op]);
    if (failure != PLUMB_OK && call->result == failure)
        return !choice && spec_answer(call, failure, result);
    if (s->base->step(s->state, call, choice, result))
        return true;
    return failure != PLUMB_OK && call->result == PLUMB_ANY && is_extra_outcome(s, call, choice, failure) &&
           spec_answer(call, failure, result);
}

void spec_weak_make(struct plumb_spec *spec)
{
    spec->init_of = init;
    spec->destroy = destroy;
    spec->clone = clone;
    spec->hash = hash;
    spec->equal = equal;
    spec->step = step;
    spec->print = print;
    spec->footprint = footprint;
    spec->valid_initial = NULL;
}
