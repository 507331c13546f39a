/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that expand nodes in batches. Private to this folder. */
#ifndef REFINE_CREW_H
#define REFINE_CREW_H

#include "refine/product/expand.h"

/* Nodes to expand, cut into slices: one for each thread, with its successors in the order of the nodes. */
struct crew_batch {
    uint32_t count;
    uint32_t *nodes;
    uint8_t *states;
    struct expand_gaps *gaps; /* null unless items are named by rank */
    uint32_t slices;
    struct expander *expanders;
};

struct crew;

/* Works for `jobs` threads: that of the caller, who absorbs, and jobs - 1 that expand. With one job expanding happens in
 * crew_start. */
struct crew *crew_new(const struct expand_settings *settings, uint32_t jobs, uint32_t batch_size);
void crew_free(struct crew *c);

struct crew_batch *crew_batch(struct crew *c, unsigned which); /* 0 or 1 */

/* Expands a batch; one at a time, crew_finish waits for it. */
void crew_start(struct crew *c, struct crew_batch *b);
void crew_finish(struct crew *c);

#endif
