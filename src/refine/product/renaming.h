/* SPDX-License-Identifier: Apache-2.0 */
/* Renaming items, so that states that differ only in the names of items become one (canon.h says which names they get).
 *
 * Items of a system's state are numbered 1, 2, ... What another state refers to beside them and this one no longer holds is
 * a ghost: nothing that still happens can name it. Ghosts have numbers from GHOST on, in the order in which they are met. */
#ifndef REFINE_RENAMING_H
#define REFINE_RENAMING_H

#include "refine/system.h"

enum { RENAMING_GHOST = 128, RENAMING_ITEMS_MAX = RENAMING_GHOST - 1, RENAMING_SIZE = 256 };

struct renaming {
    uint8_t to[RENAMING_SIZE]; /* 0: it becomes a ghost */
    unsigned ghosts;
};

/* The new name; NONE, OK and FULL are no items. */
static inline uint8_t renaming_name(struct renaming *r, uint8_t item)
{
    if (item == REFINE_NONE || item >= REFINE_OK)
        return item;
    if (!r->to[item])
        r->to[item] = (uint8_t)(RENAMING_GHOST + r->ghosts++);
    return r->to[item];
}

/* Renames all items of a state. */
static inline void renaming_apply(const struct refine_system *s, uint8_t *state, struct renaming *r)
{
    for (uint32_t i = 0; i < s->location_count; i++) {
        const struct refine_location *at = &s->locations[i];
        int32_t item = at->is_data ? refine_load(at, state) : REFINE_NONE;
        if (item > REFINE_NONE && item < REFINE_OK)
            refine_store(at, state, renaming_name(r, (uint8_t)item));
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
