/* SPDX-License-Identifier: Apache-2.0 */
/* What explorers find in a program, in a form that can be compared with the oracle's. */
#ifndef TESTS_GRAPH_RUNS_H
#define TESTS_GRAPH_RUNS_H

#include "oracle/graph_oracle.h"

struct run_graph {
    uint64_t hash, stripped, state; /* as in struct oracle_graph */
};

struct runs {
    VEC(struct run_graph) complete, stuck, blocked;
    const char *trouble; /* the explorer gave up; null: it did not */
    bool bounded, restarted;
    uint64_t open; /* graphs in which a part of a read was left open */
};

struct run_settings {
    enum oracle_model model;
    bool base_rule, symmetry, oldest_sources;
    uint64_t scheduler_seed;
    bool follow;         /* each execution that ends or is stuck is recorded and followed once more */
    uint64_t share_seed; /* 0: one explorer does all; else it gives work to others at random */
    uint64_t executions_max;
    const uint16_t *names;                                                   /* as in view_hash */
    uint64_t (*hash)(const struct view *v, bool strip, const void *context); /* null: view_hash */
    const void *hash_context;
    uint64_t print; /* prints the graph with this hash; 0: none */
};

void runs_of_graphs(const struct program *p, const struct run_settings *s, struct runs *out);

/* Every schedule on sequentially consistent memory: only states mean something. */
void runs_of_schedules(const struct program *p, uint64_t executions_max, struct runs *out);

void runs_clear(struct runs *r);
void runs_free(struct runs *r);

#endif
