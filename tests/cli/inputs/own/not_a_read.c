/* SPDX-License-Identifier: Apache-2.0 */
#define RESULTS "iN"
#define STEP forgetful
#include "counter.h"

static bool forgetful(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct counter *c = state;
    if (!right_step(state, call, choice, result))
        return false;
    c->n = call->op ? 0 : c->n;
    return true;
}
COUNTER
