/* SPDX-License-Identifier: Apache-2.0 */
/* States of a specification, each kept once and numbered in the order of arrival. */
#ifndef SPEC_STATES_H
#define SPEC_STATES_H

#include <plumb/spec.h>

#include "base/hash.h"
#include "base/vec.h"

struct spec_states {
    VEC(void *) list;
    VEC(uint32_t) next;      /* of each state, another one with its hash */
    struct hash_map numbers; /* of the latest with a hash */
};

/* Takes the state over: its number. */
uint32_t spec_states_add(struct spec_states *s, const struct plumb_spec *spec, void *state);
void spec_states_free(struct spec_states *s, const struct plumb_spec *spec);

#endif
