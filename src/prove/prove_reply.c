/* SPDX-License-Identifier: Apache-2.0 */
/* What an operation answered, as the checker has it. The checker's numbers are one for nothing, 0 and false: which of them it is has
 * to be settled here, by the kinds of answers that the operation gives. */
#include "prove/prove_harness.h"
#include "prove/prove_system.h"
#include "refine/specification/machine.h"
#include "spec/shape.h"

#include <string.h>

bool prove_is_numbered(unsigned op)
{
    const struct serial_table *t = &prove.shared->table;
    return t->state_count &&
           t->ops[prove_operations[op].spec_op - prove_harness.spec->operations].is_numbered;
}

static bool can_answer(const struct plumb_operation *op, char letter)
{
    return strchr(op->results ? op->results : "k", letter) != NULL;
}

bool prove_answers_items(unsigned op)
{
    return can_answer(prove_operations[op].spec_op, 'v');
}

/* A value that operations were given. */
static struct prove_reply reply_value(const struct plumb_operation *op, int64_t number, unsigned *item)
{
    struct prove_reply r = {.number = -1};
    if (!prove_harness.free_values) {
        uint64_t whole = prove_harness.is_wide ? prove_item_twice((uint32_t)number) : (uint32_t)number;
        *item = prove.is_concrete || (uint64_t)number != whole
                    ? 0
                    : prove_item_of(prove.state.dialect, (uint32_t)number);
        r.is_item = *item != 0;
        r.is_bad = !r.is_item;
    } else if (number >= can_answer(op, 'N') && number < REFINE_OK) {
        r.number = (int32_t)number;
    } else {
        r.is_bad = true;
    }
    return r;
}

static struct prove_reply reply_integer(const struct plumb_operation *op, int64_t number, unsigned *item)
{
    struct prove_reply r = {.is_number = can_answer(op, 'i'), .number = -1};
    if (!r.is_number && can_answer(op, 'v'))
        return reply_value(op, number, item);
    if (number >= 0 && number < REFINE_OK)
        r.number = (int32_t)number;
    r.is_bad = !r.is_number || (number == REFINE_NONE && can_answer(op, 'N'));
    return r;
}

/* In serial runs: what was never answered there is wrong, and some answers are numbers. False: it is a value as any other. */
static bool reply_as_in_table(unsigned op, plumb_value value, struct prove_reply *r)
{
    struct serial_table *t = &prove.shared->table;
    if (!t->state_count)
        return false;
    uint32_t number = (uint32_t)(prove_operations[op].spec_op - prove_harness.spec->operations);
    uint32_t found = table_find_answer(t, prove_values(), number, value, false);
    r->is_bad = found == UINT32_MAX;
    if (!r->is_bad && prove_operations[op].counts > 0)
        r->drops = !t->answers[found].changes;
    else if (!r->is_bad && prove_operations[op].counts < 0)
        r->drops = !t->answers[found].leaves;
    r->is_number = r->is_bad || t->ops[number].is_numbered;
    if (r->is_number && !r->is_bad)
        r->number = (int32_t)t->answers[found].number;
    return r->is_number;
}

static struct prove_reply reply_as_specified(unsigned op, plumb_value value, unsigned *item)
{
    const struct plumb_operation *o = prove_operations[op].spec_op;
    struct prove_reply r = {.number = -1};
    if (o->results)
        value = shape_plain_result(o, value);
    if (plumb_is_int(value))
        return reply_integer(o, plumb_int_of(prove_values(), value), item);
    if (value == PLUMB_OK && can_answer(o, 'k'))
        r.number = REFINE_OK;
    else if (value == PLUMB_NONE && can_answer(o, 'N'))
        r.number = REFINE_NONE;
    else if (plumb_is_bool(value) && can_answer(o, 'b'))
        r.number = value == PLUMB_TRUE;
    else if (value == PLUMB_FALSE && bounded_can_be_full(o))
        r.number = REFINE_FULL;
    else
        r.is_bad = true;
    return r;
}

struct prove_reply prove_reply_of(unsigned op, plumb_value value, unsigned *item)
{
    int counts = prove_operations[op].counts;
    struct prove_reply in_table = {.number = -1};
    *item = 0;
    if (reply_as_in_table(op, value, &in_table))
        return in_table;
    struct prove_reply r = reply_as_specified(op, value, item);
    bool is_refused = r.number == REFINE_FULL || value == PLUMB_FALSE;
    r.drops = counts < 0 ? r.number != REFINE_NONE || r.is_item : counts > 0 && is_refused;
    if (prove.shared->table.state_count)
        r.drops = in_table.drops;
    return r;
}
