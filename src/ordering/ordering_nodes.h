/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that share points are one node; nodes are ordered by their points. Sets of calls and of nodes are words of bits. */
#ifndef ORDERING_ORDERING_NODES_H
#define ORDERING_ORDERING_NODES_H

#include "ordering/ordering.h"

#define ORDERING_NO_NODE UINT8_MAX

struct ordering_nodes {
    uint32_t count;
    uint8_t node_of[ORDERING_CALLS_MAX];   /* ORDERING_NO_NODE: the call is left out */
    uint64_t earlier[ORDERING_CALLS_MAX];  /* nodes with an edge to this one */
    uint64_t closure[ORDERING_CALLS_MAX];  /* nodes with a path to this one */
    uint8_t calls[ORDERING_CALLS_MAX];     /* of node 0, of node 1, ...: each in the order of their effects */
    uint8_t first[ORDERING_CALLS_MAX + 1]; /* where those of a node begin */
};

/* Nodes are numbered by their first calls. */
void ordering_find_nodes(const struct ordering_question *q, struct ordering_nodes *n);

/* A shortest cycle. False: there is none. */
bool ordering_find_cycle(const struct ordering_nodes *n, uint32_t *cycle, uint32_t *length);

/* The outermost of its calls. */
static inline uint32_t ordering_node_name(const struct ordering_nodes *n, uint32_t node)
{
    return n->calls[n->first[node + 1] - 1];
}

static inline uint64_t ordering_bit(uint32_t k)
{
    return (uint64_t)1 << k;
}

static inline uint64_t ordering_all(const struct ordering_nodes *n)
{
    return n->count == 64 ? UINT64_MAX : ordering_bit(n->count) - 1;
}

/* Which conditions fail in which order: fills in the answer but for rules. */
void ordering_search(const struct ordering_question *q, const struct ordering_nodes *n,
                     struct ordering_answer *answer);

/* Runs a node. False: the condition of call *failed does not hold. */
bool ordering_run_node(const struct ordering_question *q, const struct ordering_nodes *n, uint32_t node,
                       uint32_t *failed, bool *failed_pre);

#endif
