/* SPDX-License-Identifier: Apache-2.0 */
/* What conflicts.c and conflicts_reasons.c share. */
#ifndef GRAPH_CONFLICTS_STATE_H
#define GRAPH_CONFLICTS_STATE_H

#include "base/vec.h"
#include "graph/compare/conflicts.h"

enum { CONFLICTS_NO_OP = 0xff };

struct conflicts {
    const struct graph *graph; /* read last */
    uint32_t count;
    uint32_t numbers[CONFLICTS_OPS_MAX]; /* in the test */
    uint8_t *op;                         /* of each event; CONFLICTS_NO_OP: none */
    uint8_t *excuses;                    /* of each event: bits, enum conflict_reason */
    size_t capacity;
    uint64_t after[CONFLICTS_OPS_MAX]; /* after[a]: operations with a conflict that puts them after a */
    /* Of each pair, the conflict that was found first: */
    struct conflicts_edge {
        uint32_t from, to;
        enum graph_relation relation;
    } edges[CONFLICTS_OPS_MAX][CONFLICTS_OPS_MAX];
};

/* conflicts.c: is it serializable without the accesses that have one of these excuses (bits)? */
bool conflicts_is_serializable_without(struct conflicts *c, unsigned excuses);

#endif
