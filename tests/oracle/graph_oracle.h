/* SPDX-License-Identifier: Apache-2.0 */
/* All execution graphs of a small program by brute force: every read reads every write there is, every order of
 * the writes of a location is tried, and what the axioms allow is kept. Programs without backward jumps. */
#ifndef TESTS_ORACLE_GRAPH_ORACLE_H
#define TESTS_ORACLE_GRAPH_ORACLE_H

#include "oracle/graph_axioms.h"
#include "oracle/graph_view.h"

struct oracle_graph {
    uint64_t hash;     /* view_hash */
    uint64_t stripped; /* without reads that wait */
    uint64_t state;    /* view_state_hash */
    unsigned models;   /* bit m: consistent in model m */
    bool complete;     /* the main thread has ended, and so has all that it waits for */
    bool stuck;        /* not complete, and every read that waits reads the last write: nothing will change */
};

struct oracle_graphs {
    VEC(struct oracle_graph) graphs;
    uint64_t candidates; /* looked at */
    bool too_many;       /* more than the budget; incomplete */
    /* Called for every consistent graph, when not null. */
    void (*each)(void *context, const struct view *v, const struct oracle_graph *g);
    void *context;
    /* Meanwhile: the registers of program threads as they ended. */
    const int64_t (*registers)[PROGRAM_REGISTERS_MAX];
};

/* `names` as in view_hash. */
void oracle_enumerate(const struct program *p, const uint16_t *names, uint64_t budget,
                      struct oracle_graphs *out);

#endif
