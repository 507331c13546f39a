/* SPDX-License-Identifier: Apache-2.0 */
/* States of a system, each kept once. A state is split into the part of each thread and the rest; equal parts are kept
 * once, too, so a state costs a few bytes for each thread. Private to this folder. */
#ifndef REFINE_STORE_H
#define REFINE_STORE_H

#include "refine/intern.h"
#include "refine/system.h"

struct store_gap {
    uint32_t start, size;
};

struct store {
    const struct refine_system *system;
    struct intern parts, states;
    uint32_t part_count;        /* of threads; 0: the state is not split */
    VEC(struct store_gap) gaps; /* between the parts */
    uint8_t *rest;              /* scratch: the bytes of all gaps */
};

void store_init(struct store *x, const struct refine_system *s);
void store_free(struct store *x);
size_t store_footprint(const struct store *x);

uint32_t store_add(struct store *x, const uint8_t *state, bool *is_new);
void store_get(const struct store *x, uint32_t number, uint8_t *state);

#endif
