/* SPDX-License-Identifier: Apache-2.0 */
#include "stress/stress_pairs.h"

#include "base/memory.h"
#include "pipeline/pipeline.h"
#include "spec/registry.h"

#include <string.h>

enum { CHAIN_MOST = 1024 }; /* permits of the largest semaphore whose acquire is known to wait */

struct trial {
    const struct plumb_spec *spec;
    struct plumb_spec_options options;
};

static plumb_value sample(struct plumb_values *values, char letter)
{
    if (letter == 't')
        return plumb_array(values, NULL, 0);
    return letter == 's' ? plumb_string(values, "1", 1) : plumb_int(values, 1);
}

/* Some argument that the operation takes. */
static plumb_value argument_of(const struct trial *t, uint32_t op)
{
    const char *letters = t->spec->operations[op].args;
    plumb_value items[8];
    size_t count = letters ? strlen(letters) : 0;
    count = count < 8 ? count : 8;
    for (size_t i = 0; i < count; i++)
        items[i] = sample(t->options.values, letters[i]);
    return count == 0 ? PLUMB_OK : count == 1 ? items[0] : plumb_array(t->options.values, items, count);
}

static struct plumb_call call_of(const struct trial *t, uint32_t op, uint32_t thread)
{
    return (struct plumb_call){.op = op, .thread = thread, .arg = argument_of(t, op), .result = PLUMB_ANY};
}

static bool step(const struct trial *t, void *state, uint32_t op, uint32_t thread)
{
    struct plumb_call call = call_of(t, op, thread);
    plumb_value result;
    return t->spec->step(state, &call, 0, &result) && result != PLUMB_FALSE && result != PLUMB_NONE;
}

static bool waits(const struct trial *t, const void *state, uint32_t op)
{
    struct plumb_call call = call_of(t, op, 1);
    return spec_blocks(t->spec, state, &call);
}

/* At first, after one call of `before`, or when it was called often enough itself. */
static bool waits_after(const struct trial *t, uint32_t op, uint32_t before, int times)
{
    void *state = spec_init(t->spec, &t->options);
    bool found = false;
    for (int k = 0; !found && k < times && step(t, state, before, 0); k++)
        found = waits(t, state, op);
    t->spec->destroy(state);
    return found;
}

static bool may_wait(const struct trial *t, uint32_t op)
{
    void *state = spec_init(t->spec, &t->options);
    bool found = waits(t, state, op);
    t->spec->destroy(state);
    for (uint32_t before = 0; !found && before < t->spec->operation_count; before++)
        found = waits_after(t, op, before, before == op ? CHAIN_MOST : 1);
    return found;
}

/* Is everything as it was after `op` and `back` of one thread? */
static bool undoes(const struct trial *t, uint32_t back, uint32_t op)
{
    const struct plumb_spec *spec = t->spec;
    if (back == op || (spec->operations[back].args && *spec->operations[back].args))
        return false;
    void *before = spec_init(spec, &t->options), *state = spec->clone(before);
    bool same = step(t, state, op, 0) && !spec->equal(before, state) && step(t, state, back, 0) &&
                spec->equal(before, state);
    spec->destroy(before);
    spec->destroy(state);
    return same;
}

/* What undoes an operation that may wait gives back; then so it does after one that does not wait. */
static void find_givers(struct stress_pairs *p, const struct trial *t, uint32_t count)
{
    for (uint32_t op = 0; op < count; op++)
        for (uint32_t back = 0; p->may_wait[op] && back < count; back++)
            p->follows[back] |= undoes(t, back, op);
    for (uint32_t op = 0; op < count; op++)
        for (uint32_t back = 0; back < count; back++)
            if (p->follows[back] && p->followed_by[op] == STRESS_NO_PAIR && undoes(t, back, op))
                p->followed_by[op] = back;
}

void stress_pairs_find(struct stress_pairs *p, const struct plumb_spec *spec, const char *init)
{
    uint32_t count = spec->operation_count < STRESS_PAIRS_MAX ? spec->operation_count : STRESS_PAIRS_MAX;
    struct trial t = {.spec = spec, .options = {.values = plumb_values_create(), .initial = PLUMB_OK}};
    struct diagnostic ignored = {0};
    *p = (struct stress_pairs){0};
    if (init)
        initial_value_read(spec, init, t.options.values, &t.options.initial, &ignored);
    for (uint32_t op = 0; op < STRESS_PAIRS_MAX; op++)
        p->followed_by[op] = STRESS_NO_PAIR;
    /* Those of a kind never wait. */
    for (uint32_t op = 0; op < count && spec->kind == PLUMB_KIND_OTHER; op++)
        p->may_wait[op] = may_wait(&t, op);
    find_givers(p, &t, count);
    plumb_values_destroy(t.options.values);
}
