/* SPDX-License-Identifier: Apache-2.0 */
#define STEP elsewhere
#include <plumb/spec.h>
bool elsewhere(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result);
#include "counter.h"
COUNTER
