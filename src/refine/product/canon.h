/* SPDX-License-Identifier: Apache-2.0 */
/* One form for states of a system that differ only in names: of items, and of threads that run the same text. Private to
 * this folder. */
#ifndef REFINE_CANON_H
#define REFINE_CANON_H

#include "refine/specification/machine.h"

/* A data variable: its number of bytes is that of the location. */
struct canon_place {
    uint32_t offset;
    uint8_t width;
};

struct canon {
    const struct refine_system *system;
    enum machine_names names;
    bool swaps_threads;
    /* Data variables: `shared` of them are outside of the parts of threads, if those are swapped; then thread by thread. */
    VEC(struct canon_place) places;
    size_t shared;
    uint32_t threads;
};

/* How a state was renamed. */
struct canon_names {
    uint8_t threads[REFINE_THREADS_MAX]; /* the new place of each thread */
    uint8_t items[RENAMING_SIZE];        /* the new name; 0: not in the state */
    unsigned count;                      /* of items in the state */
};

void canon_init(struct canon *c, const struct refine_system *s, enum machine_names names, bool swaps_threads);
void canon_free(struct canon *c);

/* `scratch` has room for two states. False: there are more items than names. */
bool canon_apply(const struct canon *c, uint8_t *state, uint8_t *scratch, struct canon_names *names);

/* Items of a state in its one form are 1..count. */
unsigned canon_count_items(const struct canon *c, const uint8_t *state);

/* Replaces every item of a state: to[item]. */
void canon_rename(const struct canon *c, uint8_t *state, const uint8_t *to);

#endif
