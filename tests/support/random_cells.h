/* SPDX-License-Identifier: Apache-2.0 */
/* Systems that never look into their items: a list of cells, and a table that says, for each length of the list and each
 * state of a small control, at which position an addition puts its item and from which a removal takes one. Containers
 * that are right or relaxed, with a few entries of the table changed at random. Priority queues compare items, to put
 * them in order, and do nothing else with them. */
#ifndef TESTS_RANDOM_CELLS_H
#define TESTS_RANDOM_CELLS_H

#include "explore/schedules/prng.h"
#include "refine/system.h"

enum { CELLS_MOST = 3, CELLS_CONTROLS = 4, CELLS_OUTCOMES = 4, CELLS_NOTHING = 0xff };

struct cells_outcome {
    uint8_t position; /* CELLS_NOTHING: full or empty is answered */
    uint8_t control;  /* next */
    bool is_trick;    /* the addition is forgotten, the item is left where it was */
};

struct cells_entry {
    uint32_t count;
    struct cells_outcome outcomes[CELLS_OUTCOMES];
};

struct random_cells {
    struct refine_system system;
    struct refine_location locations[CELLS_MOST + REFINE_THREADS_MAX];
    uint32_t offsets[REFINE_THREADS_MAX];
    const char *ops[2]; /* the addition, the removal */
    const char *spec;
    uint32_t capacity;
    struct cells_entry add[CELLS_MOST + 1][CELLS_CONTROLS], remove[CELLS_MOST + 1][CELLS_CONTROLS];
};

/* `spec`: queue, stack or pqueue. */
void random_cells_make(struct random_cells *c, const char *spec, uint32_t threads, uint32_t capacity,
                       struct prng *random);

#endif
