/* SPDX-License-Identifier: Apache-2.0 */
#define STEP hang
#include "counter.h"

static bool hang(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    for (volatile int64_t n = ((const struct counter *)state)->n; n == 30;)
        ;
    return right_step(state, call, choice, result);
}
COUNTER
