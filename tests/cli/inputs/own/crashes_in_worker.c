/* SPDX-License-Identifier: Apache-2.0 */
#define STEP crash
#include "counter.h"

#include <string.h>

extern char *program_invocation_short_name;

/* Not where its laws are tried. */
static bool crash(void *state, const struct plumb_call *call, unsigned choice, plumb_value *result)
{
    struct counter *c = state;
    if (c->n == 2 && strcmp(program_invocation_short_name, "plumb") != 0)
        abort();
    return right_step(state, call, choice, result);
}
COUNTER
