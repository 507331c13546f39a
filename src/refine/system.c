/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/system.h"

void refine_steps_clear(struct refine_steps *s)
{
    vec_clear(&s->steps);
    vec_clear(&s->states);
}

void refine_steps_free(struct refine_steps *s)
{
    vec_free(&s->steps);
    vec_free(&s->states);
    free(s->scratch);
    s->scratch = NULL;
}
