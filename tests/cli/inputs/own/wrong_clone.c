/* SPDX-License-Identifier: Apache-2.0 */
#define CLONE fresh
#include "counter.h"

static void *fresh(const void *state)
{
    struct counter *c = right_clone(state);
    c->n = 0;
    return c;
}
COUNTER
