/* SPDX-License-Identifier: Apache-2.0 */
/* Linear extensions of an interval order, grown from the front: the operations that have been taken so far are everything
 * called up to some moment but for a few that are still open then. Private to quasi_queue.c. */
#ifndef MONITOR_QUASI_ORDER_H
#define MONITOR_QUASI_ORDER_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
