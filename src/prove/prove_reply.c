/* SPDX-License-Identifier: Apache-2.0 */
/* What an operation answered, as the checker has it. */
#include "prove/prove_harness.h"
#include "prove/prove_system.h"
#include "refine/specification/machine.h"

#include <string.h>

static bool can_answer(const struct plumb_operation *op, char letter)
{
    return strchr(op->results ? op->results : "k", letter) != NULL;
}

static struct prove_reply reply_number(const struct plumb_operation *op, int64_t number, unsigned *item)
{
    struct prove_reply r = {.is_number = can_answer(op, 'i'), .number = -1};
    if (!prove_harness.free_values && !r.is_number) {
        *item = prove.is_concrete            ? 0
                : number == (uint32_t)number ? prove_item_of(prove.state.dialect, (uint32_t)number)
                                             : 0;
        r.is_item = *item != 0;
    } else if (number >= 0 && number < REFINE_OK) {
        r.number = (int32_t)number;
    }
    return r;
}

struct prove_reply prove_reply_of(unsigned op, plumb_value value, unsigned *item)
{
    const struct plumb_operation *o = prove_operations[op].spec_op;
    struct prove_reply r = {.number = -1};
    *item = 0;
    if (plumb_is_int(value))
        return reply_number(o, plumb_int_of(prove_values(), value), item);
    if (value == PLUMB_OK && can_answer(o, 'k'))
        r.number = REFINE_OK;
    else if (value == PLUMB_NONE && can_answer(o, 'N'))
        r.number = REFINE_NONE;
    else if (plumb_is_bool(value) && can_answer(o, 'b'))
        r.number = value == PLUMB_TRUE;
    else if (value == PLUMB_FALSE && bounded_can_be_full(o))
        r.number = REFINE_FULL;
    return r;
}
