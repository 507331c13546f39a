/* SPDX-License-Identifier: Apache-2.0 */
/* Breadth first over pairs of a state of the system and a set of explanations of the history that led there. Private to
 * this folder. */
#ifndef REFINE_PRODUCT_H
#define REFINE_PRODUCT_H

#include "base/budget.h"
#include "refine/product/expand.h"
#include "refine/product/store.h"

enum { PRODUCT_NO_NODE = UINT32_MAX };

struct product_node {
    uint32_t state, set;
    uint32_t parent;
    uint16_t step, choice; /* of the parent */
    uint32_t next;         /* with the same state: those that no smaller set makes needless */
};

struct product {
    struct expand_settings expand;
    struct explanations *explanations;
    struct store store;
    VEC(struct product_node) nodes;
    VEC(uint8_t) needless; /* of each node: a smaller set was found at the same distance */
    VEC(uint32_t) first;   /* of each state */
    bool keeps_all;        /* only equal sets are the same, and `pairs` finds them: state << 32 | set */
    struct hash_map pairs;
    uint32_t jobs;
    uint64_t most_pairs; /* 0: no limit */
    struct budget budget;
    const volatile int *stop;
    void (*progress)(void *context, uint64_t pairs, uint64_t frontier, double seconds);
    void *progress_context;
    double started;
    /* Found out: */
    uint64_t transitions;
    uint64_t peak_bytes;
    const char *limit; /* what was met before the end */
    bool wrong_arguments;
    bool has_reduced; /* steps were left out */
    bool met_full;    /* an addition answered "full", which is always allowed */
    bool found;       /* an error: the step from this node */
    struct successor error;
};

void product_init(struct product *p, const struct expand_settings *expand, struct explanations *e);
void product_free(struct product *p);

/* Until everything is explored, an error is found or a limit is met. */
void product_run(struct product *p);

/* BY_RANK: the places for new items beside a set. */
const struct expand_gaps *product_gaps(const struct product *p, uint32_t set, struct expand_gaps *gaps);

#endif
