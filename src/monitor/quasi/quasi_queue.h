/* SPDX-License-Identifier: Apache-2.0 */
/* What the dynamic programme over the places of a queue needs besides its states. Private to quasi_queue*.c. */
#ifndef MONITOR_QUASI_QUEUE_H
#define MONITOR_QUASI_QUEUE_H

#include "monitor/quasi/quasi_debts.h"

#include <stdbool.h>
#include <stdint.h>

/* Linear extensions of an interval order, grown from the front: the operations that have been taken so far are everything
 * called up to some moment but for a few that are still open then. Private to quasi_queue.c. */

enum { QUASI_SLOTS = 64 };

/* Intervals by ascending call; others refer to them by their place. */
struct quasi_order {
    uint32_t count, slots;
    uint32_t *value; /* whose they are */
    uint32_t *call, *ret;
    uint32_t *least_ret; /* among this one and all later ones; QUASI_NEVER at `count` */
    uint8_t *slot;       /* intervals in one slot do not overlap */
    /* [place * slots + slot]: the latest one in the slot up to this place, or QUASI_NONE */
    uint32_t *latest;
};

/* What has been taken: all up to `last` but for `missing`, by slots. */
struct quasi_prefix {
    uint64_t missing;
    uint32_t length; /* last + 1 */
};

/* `value`, `call` and `ret` are filled in by the caller. False: more than QUASI_SLOTS overlap. */
bool quasi_order_finish(struct quasi_order *o);
void quasi_order_free(struct quasi_order *o);
void quasi_order_reserve(struct quasi_order *o, uint32_t count);

/* The latest call among what is taken (0: nothing), and the earliest return among the rest. */
uint32_t quasi_prefix_latest_call(const struct quasi_order *o, struct quasi_prefix s);
uint32_t quasi_prefix_least_return(const struct quasi_order *o, struct quasi_prefix s);

/* Places that can be taken next; at most as many as there are slots. */
uint32_t quasi_prefix_next(const struct quasi_order *o, struct quasi_prefix s, uint32_t *places);
struct quasi_prefix quasi_prefix_take(const struct quasi_order *o, struct quasi_prefix s, uint32_t place);

/* How many that are not taken returned before `time`; counting stops beyond `most`. */
uint32_t quasi_prefix_left_before(const struct quasi_order *o, struct quasi_prefix s, uint32_t time,
                                  uint32_t most);

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
