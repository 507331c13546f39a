/* SPDX-License-Identifier: Apache-2.0 */
#define STEP partial
#include "counter.h"

static bool partial(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    return (call->op || call->thread == 0) && right_step(state, call, choice, result);
}
COUNTER
