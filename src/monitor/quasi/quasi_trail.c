/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/quasi/quasi_trail.h"

#include <string.h>

void trail_collect(struct quasi_trail *t, uint32_t *ends, size_t count)
{
    size_t n = t->steps.len, kept = 0;
    OWNED uint32_t *moved = NEW_ZEROED(uint32_t, n);
    for (size_t k = 0; k < count; k++)
        for (uint32_t s = ends[k]; s != TRAIL_START && !moved[s]; s = t->steps.data[s].before)
            moved[s] = 1;
    for (size_t s = 0; s < n; s++) { /* a step comes after the one before it */
        if (!moved[s])
            continue;
        struct trail_step step = t->steps.data[s];
        if (step.before != TRAIL_START)
            step.before = moved[step.before];
        moved[s] = (uint32_t)kept;
        t->steps.data[kept++] = step;
    }
    for (size_t k = 0; k < count; k++)
        if (ends[k] != TRAIL_START)
            ends[k] = moved[ends[k]];
    t->steps.len = kept;
}
