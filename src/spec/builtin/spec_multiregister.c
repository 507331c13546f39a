/* SPDX-License-Identifier: Apache-2.0 */
/* multiregister: cells by key, and transactions that read and write several of them at one moment.
 *
 * The table holds the registers that differ from the initial value. */
#include "base/memory.h"
#include "spec/builtin/builtin.h"
#include "spec/transaction.h"

enum { MULTIREGISTER_READ, MULTIREGISTER_WRITE, MULTIREGISTER_TXN };

static const struct plumb_operation multiregister_operations[] = {
    [MULTIREGISTER_READ] = {"read", "v", "v", true, PLUMB_NO_ROLE, "k"},
    [MULTIREGISTER_WRITE] = {"write", "vv", "k", false, PLUMB_NO_ROLE, "kv"},
    [MULTIREGISTER_TXN] = {"txn", "t", "ak", false, PLUMB_NO_ROLE, NULL},
};

static void *multiregister_init(const struct plumb_spec_options *options)
{
    struct plumb_spec_options own = {options->values, spec_initial(options, PLUMB_NONE)};
    return table_init(&own);
}

static plumb_value multiregister_read(const struct table *t, plumb_value key)
{
    uint32_t at = table_find(t, key, 0);
    return at == TABLE_NONE ? t->initial : t->entries[at].word;
}

static void multiregister_write(struct table *t, plumb_value key, plumb_value v)
{
    uint32_t at = table_find(t, key, 0);
    if (at != TABLE_NONE && v == t->initial)
        table_remove(t, at);
    else if (at != TABLE_NONE)
        table_set(t, at, v);
    else if (v != t->initial)
        table_insert(t, key, 0, v);
}

/* What part `i` of the transaction reads: the last that it wrote there itself, or what is in the table. */
static plumb_value multiregister_read_within(const struct table *t, plumb_value txn, size_t i)
{
    struct transaction_part part = transaction_part(t->values, txn, i);
    while (i-- > 0) {
        struct transaction_part earlier = transaction_part(t->values, txn, i);
        if (earlier.writes && earlier.key == part.key)
            return earlier.value;
    }
    return multiregister_read(t, part.key);
}

static bool multiregister_agree(const struct table *t, plumb_value txn, plumb_value seen)
{
    if (!transaction_answers(t->values, txn, seen))
        return false;
    for (size_t i = 0; i < plumb_array_count(t->values, txn); i++)
        if (!transaction_part(t->values, txn, i).writes &&
            transaction_part(t->values, seen, i).value != multiregister_read_within(t, txn, i))
            return false;
    return true;
}

/* The transaction with what it reads. */
static plumb_value multiregister_answer(const struct table *t, plumb_value txn)
{
    size_t count = plumb_array_count(t->values, txn);
    OWNED plumb_value *parts = NEW_ARRAY(plumb_value, count + 1);
    for (size_t i = 0; i < count; i++) {
        parts[i] = plumb_array_item(t->values, txn, i);
        plumb_value items[] = {plumb_array_item(t->values, parts[i], 0),
                               plumb_array_item(t->values, parts[i], 1), PLUMB_NONE};
        if (transaction_part(t->values, txn, i).writes)
            continue;
        items[2] = multiregister_read_within(t, txn, i);
        parts[i] = plumb_array(t->values, items, 3);
    }
    return plumb_array(t->values, parts, count);
}

/* A plain ok does not say what was read. */
static bool multiregister_txn(struct table *t, const struct plumb_call *call, plumb_value *result)
{
    bool known = call->result != PLUMB_ANY && call->result != PLUMB_OK;
    if (!transaction_is_one(t->values, call->arg)) /* models have numbers only */
        return false;
    if (known && !multiregister_agree(t, call->arg, call->result))
        return false;
    if (result)
        *result = call->result == PLUMB_ANY ? multiregister_answer(t, call->arg) : call->result;
    for (size_t i = 0; i < plumb_array_count(t->values, call->arg); i++) {
        struct transaction_part part = transaction_part(t->values, call->arg, i);
        if (part.writes)
            multiregister_write(t, part.key, part.value);
    }
    return true;
}

static bool multiregister_step(void *state, const struct plumb_call *call, unsigned choice,
                               plumb_value *result)
{
    struct table *t = state;
    if (choice)
        return false;
    if (call->op == MULTIREGISTER_TXN)
        return multiregister_txn(t, call, result);
    if (call->op == MULTIREGISTER_READ)
        return spec_answer(call, multiregister_read(t, call->arg), result);
    if (!spec_answer(call, PLUMB_OK, result))
        return false;
    multiregister_write(t, plumb_array_item(t->values, call->arg, 0),
                        plumb_array_item(t->values, call->arg, 1));
    return true;
}

const struct plumb_spec spec_multiregister = {
    .name = "multiregister",
    .summary = "registers by key, with transactions",
    SPEC_OPERATIONS(multiregister_operations),
    .init = multiregister_init,
    .destroy = table_destroy,
    .clone = table_clone,
    .hash = table_hash,
    .equal = table_equal,
    .footprint = table_footprint,
    .step = multiregister_step,
    .valid_initial = cell_initial_is_any,
    .print = table_print_pairs,
    .deterministic = true,
};
