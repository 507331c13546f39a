/* SPDX-License-Identifier: Apache-2.0 */
/* Hands out the numbers 1 to 16: any free one, or null when all are taken. */
#include <plumb/spec.h>

#include <stdlib.h>

enum { TAKE, GIVE, IDS = 16 };

static const struct plumb_operation operations[] = {
    [TAKE] = {"take", "", "iN"},
    [GIVE] = {"give", "i", "b"},
};

struct ids {
    struct plumb_values *values;
    uint32_t taken; /* a bit for each */
};

static void *init(const struct plumb_spec_options *options)
{
    struct ids *s = malloc(sizeof *s);
    *s = (struct ids){options->values, 0};
    return s;
}

static void *clone(const void *state)
{
    struct ids *copy = malloc(sizeof *copy);
    *copy = *(const struct ids *)state;
    return copy;
}

static uint64_t hash(const void *state)
{
    return plumb_mix(0, ((const struct ids *)state)->taken);
}

static bool equal(const void *a, const void *b)
{
    return ((const struct ids *)a)->taken == ((const struct ids *)b)->taken;
}

/* Outcome number `choice` is that of the free numbers, counted from the smallest, that agrees with the call. */
static bool take(struct ids *s, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    for (int id = 1; id <= IDS; id++) {
        plumb_value answer = plumb_int(s->values, id);
        bool fits = call->result == PLUMB_ANY || call->result == answer;
        if ((s->taken >> id & 1) || !fits || choice-- > 0)
            continue;
        s->taken |= 1u << id;
        return plumb_answer(call, answer, result);
    }
    bool full = s->taken == (1u << (IDS + 1)) - 2;
    return full && choice == 0 && plumb_answer(call, PLUMB_NONE, result);
}

static bool give(struct ids *s, const struct plumb_call *call, plumb_value *result)
{
    int64_t id = plumb_int_of(s->values, call->arg);
    bool taken = id >= 1 && id <= IDS && (s->taken >> id & 1);
    if (!plumb_answer(call, plumb_bool(taken), result))
        return false;
    if (taken)
        s->taken &= ~(1u << id);
    return true;
}

static bool step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    if (call->op == TAKE)
        return take(state, call, choice, result);
    return choice == 0 && give(state, call, result);
}

PLUMB_SPECIFICATION = {
    .name = "ids",
    .operations = operations,
    .operation_count = 2,
    .init = init,
    .destroy = free,
    .clone = clone,
    .hash = hash,
    .equal = equal,
    .step = step,
};
