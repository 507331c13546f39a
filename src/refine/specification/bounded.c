/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/specification/machine.h"

#include "base/hash.h"
#include "spec/registry.h"
#include "spec/quasi/spec_quasi.h"

#include <string.h>

/* Additions of containers answer "ok", so that false is left for "full". */
#define BOUNDED_FULL PLUMB_FALSE

struct bounded {
    struct plumb_spec spec; /* first */
    const struct plumb_spec *base;
    uint32_t capacity;
    enum refine_full full;
};

struct state {
    const struct bounded *b;
    void *base;
    uint32_t count;
};

bool bounded_can_be_full(const struct plumb_operation *op)
{
    return op->args[0] && strchr(op->results, 'k');
}

plumb_value bounded_answer(struct plumb_values *values, const struct plumb_operation *op, int32_t value)
{
    if (value == REFINE_FULL && strchr(op->results, 'k'))
        return BOUNDED_FULL;
    return refine_answer(values, op, value);
}

int32_t bounded_number(const struct plumb_values *values, plumb_value answer)
{
    if (answer == PLUMB_OK)
        return REFINE_OK;
    if (answer == PLUMB_NONE)
        return REFINE_NONE;
    if (plumb_is_bool(answer))
        return answer == PLUMB_TRUE;
    if (!plumb_is_int(answer))
        return -1;
    int64_t number = plumb_int_of(values, answer);
    return number >= 0 && number <= UINT16_MAX ? (int32_t)number : -1;
}

static void *init(const struct plumb_spec *spec, const struct plumb_spec_options *options)
{
    struct state *s = NEW(struct state);
    s->b = (const struct bounded *)spec;
    s->base = spec_init(s->b->base, options);
    return s;
}

static void destroy(void *state)
{
    struct state *s = state;
    s->b->base->destroy(s->base);
    free(s);
}

static void *clone(const void *state)
{
    const struct state *s = state;
    struct state *copy = NEW(struct state);
    *copy = *s;
    copy->base = s->b->base->clone(s->base);
    return copy;
}

/* The count follows from what is inside. */
static uint64_t hash(const void *state)
{
    const struct state *s = state;
    return s->b->base->hash(s->base);
}

static bool equal(const void *a, const void *b)
{
    const struct state *x = a, *y = b;
    return x->count == y->count && x->b->base->equal(x->base, y->base);
}

static bool step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct state *s = state;
    enum plumb_role role = spec_quasi_role(s->b->base, call->op);
    plumb_value answer;
    if (role == PLUMB_ADDS && s->count >= s->b->capacity) {
        if (s->b->full != REFINE_FULL_CAPACITY || choice ||
            (call->result != BOUNDED_FULL && call->result != PLUMB_ANY))
            return false;
        if (result)
            *result = BOUNDED_FULL;
        return true;
    }
    if (!s->b->base->step(s->base, call, choice, &answer))
        return false;
    bool changes = answer != PLUMB_NONE && answer != PLUMB_FALSE;
    if (changes && role != PLUMB_NO_ROLE)
        s->count += role == PLUMB_ADDS ? 1 : UINT32_MAX;
    if (result)
        *result = answer;
    return true;
}

static bool accept(const void *state)
{
    const struct state *s = state;
    return spec_accepts(s->b->base, s->base);
}

static size_t print(const void *state, char *buffer, size_t size)
{
    const struct state *s = state;
    return s->b->base->print(s->base, buffer, size);
}

struct plumb_spec *bounded_new(const struct plumb_spec *base, uint32_t capacity, enum refine_full full)
{
    struct bounded *b = NEW(struct bounded);
    b->base = base;
    b->capacity = capacity;
    b->full = full;
    b->spec = (struct plumb_spec){
        .name = base->name,
        .kind = base->kind,
        .summary = base->summary,
        .operations = base->operations,
        .operation_count = base->operation_count,
        .init_of = init,
        .destroy = destroy,
        .clone = clone,
        .hash = hash,
        .equal = equal,
        .step = step,
        .accept = base->accept ? accept : NULL,
        .print = print,
        .thread_matters = base->thread_matters,
    };
    return &b->spec;
}

void bounded_free(struct plumb_spec *spec)
{
    free(spec);
}
