/* SPDX-License-Identifier: Apache-2.0 */
#define READS .reads = false
#define STEP doubtful
#include "counter.h"

static bool doubtful(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct counter *c = state;
    if (choice > 1 || !right_step(state, call, 0, result))
        return false;
    c->n += choice;
    return true;
}
COUNTER
