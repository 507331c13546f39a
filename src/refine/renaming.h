/* SPDX-License-Identifier: Apache-2.0 */
/* Renaming items by where they are, so that states that differ only in the names of items become one.
 *
 * Items of a system's state are numbered 1, 2, ... in the order in which its data locations hold them. What another state
 * refers to beside them and this one no longer holds is a ghost: nothing that still happens can name it. Ghosts have
 * numbers from GHOST on, in the order of that other state's own locations. */
#ifndef REFINE_RENAMING_H
#define REFINE_RENAMING_H

#include "refine/system.h"

#include <string.h>

enum { RENAMING_GHOST = 128, RENAMING_ITEMS_MAX = RENAMING_GHOST - 1, RENAMING_SIZE = 256 };

/* to[old] = new; 0: not met. NONE stays NONE. */
struct renaming {
    uint8_t to[RENAMING_SIZE];
    uint8_t count;
};

static inline int32_t refine_load(const struct refine_location *at, const uint8_t *state)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < at->width; i++)
        value |= (uint32_t)state[at->offset + i] << 8 * i;
    return (int32_t)value;
}

/* Renames the items of `state` by first occurrence, and notes how. */
static inline void renaming_apply_first(const struct refine_system *s, uint8_t *state, struct renaming *r)
{
    *r = (struct renaming){0};
    for (uint32_t i = 0; i < s->location_count; i++) {
        const struct refine_location *at = &s->locations[i];
        int32_t old = at->is_data ? refine_load(at, state) : REFINE_NONE;
        if (old == REFINE_NONE)
            continue;
        if (!r->to[old])
            r->to[old] = ++r->count;
        refine_store(at, state, r->to[old]);
    }
}

/* Renames the items of another state as `r` says, and those it does not know to ghosts. */
static inline void renaming_apply_known(const struct refine_system *s, uint8_t *state,
                                        const struct renaming *r)
{
    struct renaming own = *r;
    uint8_t ghosts = 0;
    for (uint32_t i = 0; i < s->location_count; i++) {
        const struct refine_location *at = &s->locations[i];
        int32_t old = at->is_data ? refine_load(at, state) : REFINE_NONE;
        if (old == REFINE_NONE)
            continue;
        if (!own.to[old])
            own.to[old] = (uint8_t)(RENAMING_GHOST + ghosts++);
        refine_store(at, state, own.to[old]);
    }
}

/* The smallest item that the state does not hold. */
static inline int32_t renaming_fresh(const struct refine_system *s, const uint8_t *state)
{
    bool used[RENAMING_SIZE] = {false};
    for (uint32_t i = 0; i < s->location_count; i++)
        if (s->locations[i].is_data)
            used[(uint8_t)refine_load(&s->locations[i], state)] = true;
    int32_t item = 1;
    while (used[item])
        item++;
    return item;
}

#endif
