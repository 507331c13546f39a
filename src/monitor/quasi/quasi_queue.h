/* SPDX-License-Identifier: Apache-2.0 */
/* What the dynamic programme over the places of a queue needs besides its states. Private to quasi_queue*.c. */
#ifndef MONITOR_QUASI_QUEUE_H
#define MONITOR_QUASI_QUEUE_H

#include "monitor/quasi/quasi_debts.h"
#include "monitor/quasi/quasi_order.h"

struct queue_orders {
    struct quasi_order adds, removals;
    struct quasi_window *windows; /* of each value */
    uint32_t *least_return;       /* among this and all later empty answers; QUASI_NEVER at the end */
};

/* NONE: too many operations overlap. VIOLATED: a window is empty. Free it in every case. */
enum verdict queue_orders_make(struct queue_orders *o, const struct quasi_items *q,
                               struct quasi_found *found);
void queue_orders_free(struct queue_orders *o);

/* When q has removed everything it added: after `low` and before `high`, if that is a time. */
struct queue_gap {
    uint32_t low, high;
};
struct queue_gap queue_gap_at(const struct queue_orders *o, struct quasi_prefix s, struct quasi_prefix t);

/* Empty answers called before `reach` have their place. Can the others still get one, at `now` and later? */
bool queue_empties_alive(const struct quasi_items *q, const struct queue_orders *o, uint32_t reach,
                         uint32_t now);
bool queue_empties_done(const struct quasi_items *q, uint32_t reach);

/* How a state was reached. */
struct queue_link {
    uint32_t before, v, w;
};

/* Writes p, q and what is appended, from the link of the final state at place `length`. */
void queue_witness(const struct quasi_items *q, const struct queue_orders *o, const struct queue_link *links,
                   uint32_t last, uint32_t length, struct quasi_found *found);

#endif
