/* SPDX-License-Identifier: Apache-2.0 */
/* A counter of three: next answers what it was, and 2 is followed by 0. */
#include <plumb/spec.h>
#include <stdlib.h>

struct state {
    struct plumb_values *values;
    int count;
};

static const struct plumb_operation operations[] = {{.name = "next", .args = "", .results = "i"}};

static void *init(const struct plumb_spec_options *o)
{
    struct state *s = malloc(sizeof *s);
    *s = (struct state){.values = o->values};
    return s;
}

static void *clone(const void *state)
{
    struct state *s = malloc(sizeof *s);
    *s = *(const struct state *)state;
    return s;
}

static uint64_t hash(const void *state)
{
    return plumb_mix(0, (uint64_t)((const struct state *)state)->count);
}

static bool equal(const void *a, const void *b)
{
    return ((const struct state *)a)->count == ((const struct state *)b)->count;
}

static bool step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct state *s = state;
    if (choice > 0 || !plumb_answer(call, plumb_int(s->values, s->count), result))
        return false;
    s->count = (s->count + 1) % 3;
    return true;
}

PLUMB_SPECIFICATION = {
    .name = "three",
    .summary = "a counter of three",
    .operations = operations,
    .operation_count = 1,
    .init = init,
    .destroy = free,
    .clone = clone,
    .hash = hash,
    .equal = equal,
    .step = step,
    .deterministic = true,
};
