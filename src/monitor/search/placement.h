/* SPDX-License-Identifier: Apache-2.0 */
/* Which operations the second route has placed so far: a linked list of the events of the others, after Wing and Gong, and sets. */
#ifndef MONITOR_PLACEMENT_H
#define MONITOR_PLACEMENT_H

#include "base/vec.h"
#include "history/order.h"

struct placement {
    const struct order *order;
    uint32_t *next, *prev; /* event list; entry event_count is head and end */
    uint32_t end;
    /* Completed and pending operations are numbered apart, each by call. */
    uint32_t *number;
    uint64_t *placed, *placed_pending; /* bit sets by number */
    uint32_t *window_end;              /* completed operations called before the return of each */
    uint32_t completed, pending, left; /* left: completed ones not placed */
    uint32_t first_open;               /* smallest number of a completed operation not placed */
    bool unlimited;                    /* pending operations stay in the list: they may act again and again */
    VEC(uint64_t) key;                 /* by placement_make_key */
};

/* Nothing is placed. Returns how many bytes it keeps. */
size_t placement_start(struct placement *p, const struct order *order);
void placement_free(struct placement *p);

bool placement_has(const struct placement *p, uint32_t op);
void placement_add(struct placement *p, uint32_t op);
/* In the opposite order of placement_add. */
void placement_remove(struct placement *p, uint32_t op);

/* The set of placed operations, in `key`; its hash. */
uint64_t placement_make_key(struct placement *p);

#endif
