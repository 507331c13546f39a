/* SPDX-License-Identifier: Apache-2.0 */
#define STEP impatient
#include "counter.h"

static bool impatient(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct counter *c = state;
    c->n += !call->op;
    if (choice == 0 && plumb_answer(call, call->op ? plumb_int(c->values, c->n) : PLUMB_OK, result))
        return true;
    return false;
}
COUNTER
