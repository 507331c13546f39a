/* SPDX-License-Identifier: Apache-2.0 */
#define REST .key = key
#include "counter.h"

static plumb_value key(const struct plumb_values *values, const struct plumb_call *call)
{
    (void)values;
    return (plumb_value)call->op << 3;
}
COUNTER
