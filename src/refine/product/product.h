/* SPDX-License-Identifier: Apache-2.0 */
/* Breadth first over pairs of a state of the system and a set of explanations of the history that led there. Private to
 * this folder. */
#ifndef REFINE_PRODUCT_H
#define REFINE_PRODUCT_H

#include "base/budget.h"
#include "refine/intern.h"
#include "refine/product/expand.h"
#include "refine/system.h"

/* States of a system, each kept once. A state is split into the part of each thread and the rest; equal parts are kept
 * once, too, so a state costs a few bytes for each thread. */
struct store_gap {
    uint32_t start, size;
};

struct store {
    const struct refine_system *system;
    struct intern parts, states;
    uint32_t part_count;        /* of threads; 0: the state is not split */
    VEC(struct store_gap) gaps; /* between the parts */
    uint8_t *rest;              /* scratch: the bytes of all gaps */
};

void store_init(struct store *x, const struct refine_system *s);
void store_free(struct store *x);
size_t store_footprint(const struct store *x);

uint32_t store_add(struct store *x, const uint8_t *state, bool *is_new);
void store_get(const struct store *x, uint32_t number, uint8_t *state);

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
    /* Only equal sets are the same, and `pairs` finds them: state << 32 | set */
    bool keeps_all;
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

/* Of all sets of explanations beside a state only the smallest are needed: what the explanations of a set can follow, those
 * of a larger one can, too. Is the set none that is needless beside the state? Then larger ones become so: those beyond `level_end`, which are as far
 * from the start as this one, are not even expanded. Nearer ones are, because what they lead to may be nearer, too. */
bool antichain_admits(struct product *p, uint32_t state, uint32_t set, uint32_t level_end);

/* Threads that expand nodes in batches: nodes, cut into slices, one for each thread, with its successors in the order of the nodes. */
struct workers_batch {
    uint32_t count;
    uint32_t *nodes;
    uint8_t *states;
    struct expand_gaps *gaps; /* null unless items are named by rank */
    uint32_t slices;
    struct expander *expanders;
};

struct workers;

/* For `jobs` threads: that of the caller, which absorbs, and jobs - 1 that expand. With one job expanding happens in
 * workers_start. */
struct workers *workers_new(const struct expand_settings *settings, uint32_t jobs, uint32_t batch_size);
void workers_free(struct workers *c);

struct workers_batch *workers_batch(struct workers *c, unsigned which); /* 0 or 1 */

/* Expands a batch; one at a time, workers_finish waits for it. */
void workers_start(struct workers *c, struct workers_batch *b);
void workers_finish(struct workers *c);

#endif
