/* SPDX-License-Identifier: Apache-2.0 */
#define STEP crash
#include "counter.h"

/* Beyond what is tried when it is loaded. */
static bool crash(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct counter *c = state;
    if (c->n == 30)
        abort();
    return right_step(state, call, choice, result);
}
COUNTER
