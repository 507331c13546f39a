/* SPDX-License-Identifier: Apache-2.0 */
/* Ranked time: the 2n calls and returns of some operations as positions
 * 0, 1, 2, ... so that all algorithms compare small integers without ties.
 *
 * Events are sorted by (stamp, call before return): an operation precedes
 * another iff its return stamp is strictly smaller than the other's call
 * stamp, and equal stamps overlap. Inside one thread program order stands
 * even when stamps are equal; if at most one thread has such a tie at a
 * stamp, the ranks express it. Otherwise no order of events can, and `after`
 * names, for the operation called at the tie, the one it has to follow.
 *
 * Pending operations return at infinity: they have a call event only, and
 * ret[i] == ORDER_NEVER. */
#ifndef HISTORY_ORDER_H
#define HISTORY_ORDER_H

#include "history/history.h"

#define ORDER_NEVER UINT32_MAX
#define ORDER_NO_OP UINT32_MAX

struct order {
    uint32_t count;       /* operations */
    uint32_t event_count; /* calls, and returns of completed operations */
    uint32_t *call, *ret; /* position of the events of each operation */
    uint32_t *event;      /* position -> operation << 1 | is_return */
    /* Program-order predecessor the ranks do not express, or ORDER_NO_OP; null when the ranks express
     * everything */
    uint32_t *after;
};

/* Ranks the whole history. Fails (diagnostic) when a thread has two
 * operations open at once or an operation returns before it was called. */
bool order_rank(const struct history *h, struct order *out, struct diagnostic *d);

void order_free(struct order *o);

/* For qsort_r of numbers of operations, with the history as context: by call, return (never is last) and
 * place in the file. Operations of one thread are in program order then. */
int order_compare_ops(const void *left, const void *right, void *context);

static inline uint32_t order_event_op(uint32_t event)
{
    return event >> 1;
}
static inline bool order_event_returns(uint32_t event)
{
    return event & 1;
}

#endif
