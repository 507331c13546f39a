/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/states.h"

uint32_t spec_states_add(struct spec_states *s, const struct plumb_spec *spec, void *state)
{
    uint32_t *first = hash_map_at(&s->numbers, spec->hash(state));
    for (uint32_t i = *first; i != HASH_NO_NUMBER; i = s->next.data[i])
        if (spec->equal(s->list.data[i], state)) {
            spec->destroy(state);
            return i;
        }
    vec_push(&s->list, state);
    vec_push(&s->next, *first);
    return *first = (uint32_t)s->list.len - 1;
}

void spec_states_free(struct spec_states *s, const struct plumb_spec *spec)
{
    for (size_t i = 0; i < s->list.len; i++)
        spec->destroy(s->list.data[i]);
    vec_free(&s->list);
    vec_free(&s->next);
    hash_map_free(&s->numbers);
}
