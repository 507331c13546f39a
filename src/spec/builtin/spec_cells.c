/* SPDX-License-Identifier: Apache-2.0 */
/* register and counter. */
#include "history/value_text.h"
#include "spec/builtin/builtin.h"

enum { REGISTER_WRITE, REGISTER_READ, REGISTER_CAS };

static const struct plumb_operation register_operations[] = {
    [REGISTER_WRITE] = {"write", "v", "k", false, PLUMB_WRITES, "k"},
    [REGISTER_READ] = {"read", "", "v", true, PLUMB_READS, NULL},
    [REGISTER_CAS] = {"cas", "vv", "b", false, PLUMB_EXCHANGES, "on"},
};

static void *register_init(const struct plumb_spec_options *options)
{
    return cell_create(options, spec_initial(options, plumb_int(options->values, 0)), 0);
}

static bool register_step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct cell *c = state;
    if (choice)
        return false;
    if (call->op == REGISTER_READ)
        return spec_answer(call, c->word, result);
    if (call->op == REGISTER_WRITE) {
        if (!spec_answer(call, PLUMB_OK, result))
            return false;
        c->word = call->arg;
        return true;
    }
    bool swaps = plumb_array_item(c->values, call->arg, 0) == c->word;
    if (!spec_answer(call, plumb_bool(swaps), result))
        return false;
    if (swaps)
        c->word = plumb_array_item(c->values, call->arg, 1);
    return true;
}

static size_t register_print(const void *state, char *buffer, size_t size)
{
    const struct cell *c = state;
    struct text out = {0};
    value_print(&out, c->values, c->word);
    return spec_print_end(&out, buffer, size);
}

const struct plumb_spec spec_register = {
    .name = "register",
    .kind = PLUMB_KIND_REGISTER,
    .summary = "one value, with compare and swap",
    SPEC_OPERATIONS(register_operations),
    .init = register_init,
    CELL_STATE,
    .step = register_step,
    .effect_free = spec_answers_false,
    .valid_initial = cell_initial_is_any,
    .print = register_print,
    .deterministic = true,
};

enum { COUNTER_ADD, COUNTER_GET, COUNTER_FETCH_ADD };

static const struct plumb_operation counter_operations[] = {
    [COUNTER_ADD] = {"add", "i", "k", false, PLUMB_NO_ROLE, "v"},
    [COUNTER_GET] = {"get", "", "i", true, PLUMB_NO_ROLE, NULL},
    [COUNTER_FETCH_ADD] = {"fetch_add", "i", "i", false, PLUMB_NO_ROLE, "v"},
};

static void *counter_init(const struct plumb_spec_options *options)
{
    return cell_create(options, (uint64_t)cell_initial_number(options, 0), 0);
}

static bool counter_step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct cell *c = state;
    plumb_value answer = call->op == COUNTER_ADD ? PLUMB_OK : plumb_int(c->values, (int64_t)c->word);
    if (choice || (call->result != answer && call->result != PLUMB_ANY))
        return false;
    if (call->op != COUNTER_GET && !cell_add(c, plumb_int_of(c->values, call->arg)))
        return false;
    return spec_answer(call, answer, result);
}

/* Integers are in the word or in the pool, and zero is in the word: no pool is needed to know it. */
static bool counter_effect_free(const struct plumb_call *call)
{
    return call->arg == plumb_int(NULL, 0) && call->result != PLUMB_ANY;
}

const struct plumb_spec spec_counter = {
    .name = "counter",
    .kind = PLUMB_KIND_COUNTER,
    .summary = "a number that is added to",
    SPEC_OPERATIONS(counter_operations),
    .init = counter_init,
    CELL_STATE,
    .step = counter_step,
    .effect_free = counter_effect_free,
    .valid_initial = cell_initial_is_int,
    .print = cell_print_number,
    .deterministic = true,
};
