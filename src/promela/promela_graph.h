/* SPDX-License-Identifier: Apache-2.0 */
/* The control flow of a process: nodes are places where it can stand, edges its steps. Jumps and the borders of blocks are
 * gone, as in SPIN: an edge leads to where the next step begins. */
#ifndef PROMELA_GRAPH_H
#define PROMELA_GRAPH_H

#include "promela/promela_tree.h"

enum { NO_NODE = UINT32_MAX };

struct promela_edge {
    const struct promela_statement *statement; /* null: a jump that is a step of its own */
    uint32_t place;
    uint32_t to;
    uint32_t entry; /* D_STEP: the node inside that it begins at; it ends at `to` */
    int32_t value;  /* SELECT */
    bool is_else;
    /* No step: `to` is the same place, and its steps are possible here. Only while a graph is built */
    bool is_same;
    bool is_atomic; /* inside atomic */
    bool releases;  /* the last step of its atomic */
    bool holds;     /* no other process may come between it and the next step */
    /* Set by promela_analyse. */
    bool is_private; /* reads and writes only the process's own variables */
    bool is_local;   /* and is no step of an endless loop of such steps */
    uint64_t *reset; /* variables whose values are of no use behind it */
};

typedef VEC(struct promela_edge) promela_edges;

struct promela_node {
    promela_edges edges;
    uint32_t alias; /* the node that stands for this one */
    bool is_atomic; /* inside atomic, not at its start */
    bool is_inside; /* inside d_step, its start included */
    bool is_end;    /* the process may stay here forever */
    bool is_reachable;
    bool is_apart; /* has a number of its own in SPIN */
    uint64_t *live;
    uint32_t number;
};

struct promela_graph {
    const struct promela_process_type *type;
    struct promela_model *m;
    VEC(struct promela_node) nodes;
    promela_edges taken; /* while it is built */
    uint32_t start, end;
    uint32_t words; /* of a set of variables */
};

/* `like_spin`: keeps apart nodes that SPIN keeps apart although nothing differs between them. */
void promela_graph_build(struct promela_graph *g, struct promela_model *m,
                         const struct promela_process_type *type, bool like_spin);
/* Liveness of variables, and which steps are local. */
void promela_analyse(struct promela_graph *g);
void promela_graph_free(struct promela_graph *g);

#endif
