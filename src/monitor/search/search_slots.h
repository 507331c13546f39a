/* SPDX-License-Identifier: Apache-2.0 */
/* The operations that are open at one moment of the general search, each in
 * a numbered slot from its call to its return. Pending ones keep theirs. */
#ifndef MONITOR_SEARCH_SLOTS_H
#define MONITOR_SEARCH_SLOTS_H

#include "monitor/part.h"
#include "monitor/search/search_account.h"

#define SLOT_NONE UINT32_MAX
#define SLOT_LATER (UINT32_MAX - 1) /* has to follow an operation that is not called yet */

struct slot {
    struct plumb_call call;
    uint32_t op;          /* part index */
    uint32_t ret;         /* its return, or ORDER_NEVER */
    uint32_t after;       /* slot of the open operation it has to follow, SLOT_LATER or SLOT_NONE */
    uint32_t twin_before; /* interchangeable open operations, earliest return first */
    uint32_t twin_after;
    bool effect_free;
    bool one_outcome; /* every state has at most one outcome of the call */
};

struct slots {
    const struct part *part;
    struct account *account;
    struct slot *at;
    uint32_t used; /* slots that were ever in use */
    VEC(uint32_t) free;
    VEC(uint32_t) readers; /* open and effect-free, in call order */
    VEC(uint32_t) writers; /* open, all others, in call order */
    uint32_t *of_op;       /* slot of each open operation */
    uint8_t *followed;     /* some `after` names the operation; null without ties */
    size_t cap;
};

/* False: the budget is spent. */
bool slots_init(struct slots *s, const struct part *p, struct account *account);
void slots_free(struct slots *s);

/* Gives `op` a slot at its call. SLOT_NONE: it needs none, because it is pending and
 * could not change anything, or the budget is spent. */
uint32_t slots_open(struct slots *s, uint32_t op);

/* Frees the slot of an operation that returns. */
void slots_close(struct slots *s, uint32_t slot);

#endif
