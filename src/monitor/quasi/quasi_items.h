/* SPDX-License-Identifier: Apache-2.0 */
/* Containers (queue, stack, priority queue) whose removals, or additions, are relaxed (spec/quasi/spec_quasi.h), seen value by
 * value, and what the algorithms for them find out. docs/internals/monitor/quasi_histories.md has the arguments.
 *
 * Times are ranks of the part's events plus one: 0 is before everything, QUASI_NEVER after everything. */
#ifndef MONITOR_QUASI_ITEMS_H
#define MONITOR_QUASI_ITEMS_H

#include "monitor/part.h"

#define QUASI_NONE UINT32_MAX
#define QUASI_NEVER UINT32_MAX

struct quasi_value {
    uint32_t add, rem; /* operations; rem is QUASI_NONE for what stays inside */
    uint32_t ac, ar;   /* call and return of the addition */
    uint32_t dc, dr;   /* of the removal; QUASI_NEVER without one */
    plumb_value value; /* what the removal answers */
    uint32_t rank;     /* priority queue: how many priorities are smaller */
};

struct quasi_empty {
    uint32_t op, call, ret;
};

struct quasi_items {
    const struct part *part;
    uint32_t factor;
    bool additions_move;             /* instead of removals */
    bool complete;                   /* nothing is appended */
    bool left_out;                   /* pending operations were left out: only "holds" is certain */
    struct quasi_value *values;      /* by call of the addition */
    uint32_t count, removals;        /* values; those that are removed */
    VEC(struct quasi_empty) empties; /* by call */
    uint32_t remove_op;              /* number of the removing operation */
};

/* Why a history is violated. */
enum quasi_reason {
    QUASI_NEVER_ADDED,   /* op removes what was not added */
    QUASI_REMOVED_TWICE, /* op and other remove the same */
    /* `op` (a removal, or an addition when nothing removes it) is always too far away */
    QUASI_WINDOW,
    QUASI_STUCK, /* no order gets beyond op */
};

struct quasi_found {
    /* Holds: p as part indices; the values in the order in which q removes (additions_move: adds) them; the values whose
     * removals are appended to p. */
    VEC(uint32_t) p, q, appended;
    /* Violated. */
    enum quasi_reason reason;
    uint32_t op, other;
    uint32_t low, high; /* window: q has it at one of these places, p at place_low.. */
    uint32_t place_low, place_high;
    uint32_t progress; /* stuck, or a limit: so many ... */
    uint32_t total;    /* ... of so many had an order */
};

/* VERDICT_HOLDS: built, nothing decided. NONE: *why. VIOLATED: a value is removed twice or never added. Free it in every case. */
enum verdict quasi_items_build(struct quasi_items *q, const struct part *p, const char **why,
                               struct quasi_found *found);
void quasi_items_free(struct quasi_items *q);
void quasi_found_free(struct quasi_found *f);

/* Ways to look at fewer states. The answer is the same without. */
enum quasi_shortcuts {
    QUASI_LOOK_AHEAD = 1, /* drop a state when something will come too late, whatever follows */
    QUASI_COMPARE = 2,    /* drop a state when another one is as good */
    QUASI_ALL_SHORTCUTS = 3,
};

typedef enum verdict quasi_decider(const struct quasi_items *q, unsigned shortcuts, struct budget *budget,
                                   struct quasi_found *found);

quasi_decider quasi_queue_decide;  /* quasi_queue.c */
quasi_decider quasi_stack_decide;  /* quasi_stack.c */
quasi_decider quasi_pqueue_decide; /* quasi_pqueue.c */

/* quasi_window.c: where the additions and removals of a queue can be, counted among themselves. */
struct quasi_window {
    uint32_t slo, shi; /* the addition */
    uint32_t tlo, thi; /* the removal */
};

/* False: one is empty, and `found` says which. */
bool quasi_windows(const struct quasi_items *q, struct quasi_window *windows, struct quasi_found *found);

/* The smallest factor for which no window is empty. */
uint32_t quasi_least_factor(const struct quasi_items *q);

#endif
