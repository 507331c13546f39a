/* SPDX-License-Identifier: Apache-2.0 */
/* Many accounts, distinguished by name. They have nothing to do with each other: `key` says so. */
#include <plumb/spec.h>

#include <stdlib.h>
#include <string.h>

enum { DEPOSIT, WITHDRAW, BALANCE };

static const struct plumb_operation operations[] = {
    [DEPOSIT] = {"deposit", "en", "k"},
    [WITHDRAW] = {"withdraw", "en", "b"},
    [BALANCE] = {"balance", "e", "i", .reads = true},
};

struct entry {
    plumb_value name;
    int64_t balance;
};

/* Entries in the order of their names as numbers, none with a balance of 0: equal ledgers look equal. */
struct ledger {
    struct plumb_values *values;
    size_t count;
    struct entry *entries;
};

static void *init(const struct plumb_spec_options *options)
{
    struct ledger *l = calloc(1, sizeof *l);
    l->values = options->values;
    return l;
}

static void destroy(void *state)
{
    free(((struct ledger *)state)->entries);
    free(state);
}

static void *clone(const void *state)
{
    const struct ledger *l = state;
    struct ledger *copy = malloc(sizeof *copy);
    *copy = *l;
    copy->entries = malloc((l->count + 1) * sizeof *l->entries);
    if (l->count)
        memcpy(copy->entries, l->entries, l->count * sizeof *l->entries);
    return copy;
}

static uint64_t hash(const void *state)
{
    const struct ledger *l = state;
    uint64_t h = l->count;
    for (size_t i = 0; i < l->count; i++)
        h = plumb_mix(plumb_mix(h, l->entries[i].name), (uint64_t)l->entries[i].balance);
    return h;
}

static bool equal(const void *first, const void *second)
{
    const struct ledger *a = first, *b = second;
    for (size_t i = 0; i < a->count && i < b->count; i++)
        if (a->entries[i].name != b->entries[i].name || a->entries[i].balance != b->entries[i].balance)
            return false;
    return a->count == b->count;
}

/* Where `name` is, or would have to be. */
static size_t place_of(const struct ledger *l, plumb_value name)
{
    size_t i = 0;
    while (i < l->count && l->entries[i].name < name)
        i++;
    return i;
}

static int64_t balance_of(const struct ledger *l, plumb_value name)
{
    size_t i = place_of(l, name);
    return i < l->count && l->entries[i].name == name ? l->entries[i].balance : 0;
}

static void set_balance(struct ledger *l, plumb_value name, int64_t balance)
{
    size_t i = place_of(l, name), behind = l->count - i;
    bool there = i < l->count && l->entries[i].name == name;
    if (!there && balance) {
        l->entries = realloc(l->entries, (l->count + 1) * sizeof *l->entries);
        memmove(&l->entries[i + 1], &l->entries[i], behind * sizeof *l->entries);
        l->count++;
    }
    if (balance)
        l->entries[i] = (struct entry){name, balance};
    else if (there)
        memmove(&l->entries[i], &l->entries[i + 1], (--l->count - i) * sizeof *l->entries);
}

/* Two arguments come as one array. */
static plumb_value name_of(const struct plumb_values *values, const struct plumb_call *call)
{
    return call->op == BALANCE ? call->arg : plumb_array_item(values, call->arg, 0);
}

static bool step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct ledger *l = state;
    plumb_value name = name_of(l->values, call);
    int64_t before = balance_of(l, name);
    if (choice > 0)
        return false;
    if (call->op == BALANCE)
        return plumb_answer(call, plumb_int(l->values, before), result);
    int64_t amount = plumb_int_of(l->values, plumb_array_item(l->values, call->arg, 1));
    bool fine = call->op == DEPOSIT || amount <= before;
    if (!plumb_answer(call, call->op == DEPOSIT ? PLUMB_OK : plumb_bool(fine), result))
        return false;
    if (fine)
        set_balance(l, name, call->op == DEPOSIT ? before + amount : before - amount);
    return true;
}

PLUMB_SPECIFICATION = {
    .name = "ledger",
    .operations = operations,
    .operation_count = 3,
    .init = init,
    .destroy = destroy,
    .clone = clone,
    .hash = hash,
    .equal = equal,
    .step = step,
    .key = name_of,
    .deterministic = true,
};
