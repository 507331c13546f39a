/* SPDX-License-Identifier: Apache-2.0 */
#define STEP add_or_get
#define OPERATIONS                    \
    {"add", "i", "k"},                \
    {                                 \
        "get", "", "i", .reads = true \
    }
#include "counter.h"

static bool add_or_get(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct counter *c = state;
    if (choice > 0 || !plumb_answer(call, call->op ? plumb_int(c->values, c->n) : PLUMB_OK, result))
        return false;
    c->n += call->op ? 0 : plumb_int_of(c->values, call->arg);
    return true;
}
COUNTER
