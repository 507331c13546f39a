/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"
#include "base/memory.h"
#include "spec/serial/serial_table.h"

#include <string.h>

static struct serial_table *table;
static bool met_unknown;

bool table_met_unknown(void)
{
    return met_unknown;
}

void table_forget_unknown(void)
{
    met_unknown = false;
}

struct at {
    struct plumb_values *values;
    uint32_t state;
};

static void *init(const struct plumb_spec_options *options)
{
    struct at *a = NEW(struct at);
    *a = (struct at){.values = options->values};
    return a;
}

static void *clone(const void *state)
{
    struct at *a = NEW(struct at);
    *a = *(const struct at *)state;
    return a;
}

static uint64_t hash(const void *state)
{
    return hash_word(((const struct at *)state)->state);
}

static bool equal(const void *a, const void *b)
{
    return ((const struct at *)a)->state == ((const struct at *)b)->state;
}

/* False: it is not one of the values. */
static bool add_argument(uint32_t *number, const struct plumb_values *values, plumb_value argument)
{
    int64_t value = plumb_is_int(argument) ? plumb_int_of(values, argument) : 0;
    *number = *number * table->values + (uint32_t)(value - 1);
    return value >= 1 && value <= table->values;
}

static const struct table_edge *find_edge(const struct at *a, const struct plumb_call *call)
{
    const struct table_op *op = &table->ops[call->op];
    uint32_t number = 0;
    bool is_known = call->thread < table->threads || !table->thread_matters;
    for (uint32_t i = 0; i < op->arg_count && is_known; i++)
        is_known = add_argument(&number, a->values,
                                op->arg_count == 1 ? call->arg : plumb_array_item(a->values, call->arg, i));
    return is_known ? table_edge(table, a->state, table->thread_matters ? call->thread : 0,
                                 op->first_call + number)
                    : NULL;
}

static bool step(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct at *a = state;
    const struct table_edge *e = choice ? NULL : find_edge(a, call);
    met_unknown |= e && e->to == TABLE_UNKNOWN;
    if (!e || e->to >= TABLE_UNKNOWN || (call->result != PLUMB_ANY && call->result != e->answer))
        return false;
    a->state = e->to;
    if (result)
        *result = e->answer;
    return true;
}

static bool blocks(const void *state, const struct plumb_call *call)
{
    const struct table_edge *e = find_edge(state, call);
    return e && e->to == TABLE_WAITS;
}

static size_t print(const void *state, char *buffer, size_t size)
{
    (void)state; /* no more is known than what was answered so far */
    if (size)
        *buffer = 0;
    return 0;
}

const struct plumb_spec *table_spec(struct serial_table *t)
{
    static const char *const args[] = {"", "v", "vv"};
    static struct plumb_operation operations[TABLE_OPS_MAX];
    static struct plumb_spec spec = {
        .name = TABLE_NAME_OF_SPEC,
        .summary = "what the operations answer one after the other",
        .operations = operations,
        .init = init,
        .destroy = free,
        .clone = clone,
        .hash = hash,
        .equal = equal,
        .step = step,
        .blocks = blocks,
        .print = print,
        .deterministic = true,
    };
    table = t;
    for (uint32_t i = 0; i < t->op_count; i++)
        operations[i] = (struct plumb_operation){.name = t->ops[i].name,
                                                 .args = args[t->ops[i].arg_count % 3],
                                                 .results = t->ops[i].results,
                                                 .reads = t->ops[i].reads,
                                                 .role = t->ops[i].counts > 0   ? PLUMB_ADDS
                                                         : t->ops[i].counts < 0 ? PLUMB_REMOVES
                                                                                : PLUMB_NO_ROLE};
    spec.operation_count = t->op_count;
    spec.thread_matters = t->thread_matters;
    return &spec;
}
