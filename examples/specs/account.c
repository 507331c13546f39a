/* SPDX-License-Identifier: Apache-2.0 */
/* A bank account that is never overdrawn. */
#include <plumb/spec.h>

#include <stdio.h>
#include <stdlib.h>

enum { DEPOSIT, WITHDRAW, BALANCE };

static const struct plumb_operation operations[] = {
    [DEPOSIT] = {"deposit", "n", "k"},
    [WITHDRAW] = {"withdraw", "n", "b"},
    [BALANCE] = {"balance", "", "i", .reads = true},
};

struct account {
    struct plumb_values *values;
    int64_t balance;
};

static void *init(const struct plumb_spec_options *options)
{
    struct account *a = malloc(sizeof *a);
    *a = (struct account){options->values, 0};
    return a;
}

static void *clone(const void *state)
{
    struct account *copy = malloc(sizeof *copy);
    *copy = *(const struct account *)state;
    return copy;
}

static uint64_t hash(const void *state)
{
    const struct account *a = state;
    return plumb_mix(0, (uint64_t)a->balance);
}

static bool equal(const void *a, const void *b)
{
    return ((const struct account *)a)->balance == ((const struct account *)b)->balance;
}

static bool step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct account *a = state;
    if (choice > 0) /* never more than one outcome */
        return false;
    int64_t amount = call->op == BALANCE ? 0 : plumb_int_of(a->values, call->arg);
    bool enough = amount <= a->balance;
    switch (call->op) {
    case DEPOSIT:
        if (!plumb_answer(call, PLUMB_OK, result))
            return false;
        a->balance += amount;
        return true;
    case WITHDRAW:
        if (!plumb_answer(call, plumb_bool(enough), result))
            return false;
        a->balance -= enough ? amount : 0;
        return true;
    default: return plumb_answer(call, plumb_int(a->values, a->balance), result);
    }
}

static size_t print(const void *state, char *buffer, size_t size)
{
    return (size_t)snprintf(buffer, size, "%lld", (long long)((const struct account *)state)->balance);
}

PLUMB_SPECIFICATION = {
    .name = "account",
    .summary = "a bank account that is never overdrawn",
    .operations = operations,
    .operation_count = 3,
    .init = init,
    .destroy = free,
    .clone = clone,
    .hash = hash,
    .equal = equal,
    .step = step,
    .print = print,
    .deterministic = true,
};
