/* SPDX-License-Identifier: Apache-2.0 */
/* A level of the general search: the set of all ways to have got here. A node
 * is a mask (which open operations have taken effect, a bit per slot) and a
 * state of the specification. While a return is processed the level also holds the
 * nodes on the way, so that none is visited twice.
 *
 * A pending operation need not have happened. So a node stands in for every
 * node of equal state that differs from it only in that more pending operations
 * have acted: such a node is never kept beside it. */
#ifndef MONITOR_SEARCH_STATE_H
#define MONITOR_SEARCH_STATE_H

#include <plumb/spec.h>

#include "base/budget.h"
#include "base/memory.h"
#include "monitor/part.h"

struct level_node {
    void *state;         /* owned; null: used up, the node is dead */
    uint64_t state_hash; /* 0: not computed yet */
    size_t bytes;        /* charged for the state */
    uint32_t log;        /* last entry of the node's order in the step log */
};

struct level {
    const struct plumb_spec *spec;
    struct account *account;
    struct level_node *nodes;
    uint64_t *masks;   /* `width` words per node */
    uint64_t *pending; /* `width` words: the slots of pending operations */
    size_t len, cap;
    size_t width;
    uint32_t *table; /* node number + 1, 0 is free; `table_mask` 0: not in use, few nodes */
    size_t table_mask, table_cap;
};

#define LEVEL_NONE SIZE_MAX

static inline uint64_t *level_mask(const struct level *l, size_t node)
{
    return l->masks + node * l->width;
}

static inline bool mask_has(const uint64_t *mask, uint32_t slot)
{
    return mask[slot / 64] >> slot % 64 & 1;
}

static inline void mask_set(uint64_t *mask, uint32_t slot)
{
    mask[slot / 64] |= (uint64_t)1 << slot % 64;
}

static inline void mask_clear(uint64_t *mask, uint32_t slot)
{
    mask[slot / 64] &= ~((uint64_t)1 << slot % 64);
}

void level_init(struct level *l, const struct plumb_spec *spec, struct account *account);
void level_mark_pending(struct level *l, uint32_t slot); /* from its call on, forever */
void level_free(struct level *l);

/* Makes room for masks of at least `slots` bits. False: the budget is spent. */
bool level_widen(struct level *l, size_t slots);

/* To be called before the first level_add after masks were changed. */
bool level_index(struct level *l);

/* Adds a node, whose state now belongs to the level, unless one is there that
 * stands in for it; nodes that it stands in for die. LEVEL_NONE: not
 * needed, or the budget is spent; the state is destroyed or belongs to the level. */
size_t level_add(struct level *l, const uint64_t *mask, void *state);

/* Takes the state out of a node, which is dead from then on. */
void *level_take_state(struct level *l, size_t node);

static inline bool level_is_dead(const struct level *l, size_t node)
{
    return !l->nodes[node].state;
}

/* Keeps the nodes that have `slot`, clears the bit in them and drops all others. */
void level_keep(struct level *l, uint32_t slot);

/* Keeps only about `most` nodes, those in which the fewest pending operations have acted. */
void level_narrow(struct level *l, size_t most);

/* What one search has charged to the run's budget, so that all of it can be
 * given back when the search ends, however it ends. */
struct account {
    struct budget *budget;
    size_t bytes;
};

static inline bool account_charge(struct account *a, size_t bytes)
{
    a->bytes += bytes;
    return budget_charge(a->budget, bytes);
}

static inline void account_refund(struct account *a, size_t bytes)
{
    a->bytes -= bytes;
    budget_refund(a->budget, bytes);
}

static inline void account_close(struct account *a)
{
    account_refund(a, a->bytes);
}

/* The capacity to grow an array to, charged; 0 when the budget does not allow it. */
static inline size_t account_grow(struct account *a, size_t cap, size_t item)
{
    size_t grown = cap < 16 ? 16 : cap + cap / 2;
    return account_charge(a, (grown - cap) * item) ? grown : 0;
}

/* The operations that are open at one moment of the general search, each in
 * a numbered slot from its call to its return. Pending ones keep theirs. */
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

/* The step log: the order of operations behind every node, as a tree of
 * entries that point to their predecessor. What all living nodes have in common moves
 * to the witness, so the log stays small however long the history is. */
#define LOG_ROOT UINT32_MAX

struct log_entry {
    uint32_t op, parent; /* the parent is an earlier entry or LOG_ROOT */
};

struct step_log {
    struct account *account;
    struct log_entry *entries;
    uint32_t *marks; /* scratch of log_collect, one per entry */
    size_t len, cap, collect_at;
};

void log_init(struct step_log *log, struct account *account);
void log_free(struct step_log *log);

/* The entry of `op` after `parent`. A spent budget makes the answer meaningless. */
uint32_t log_append(struct step_log *log, uint32_t parent, uint32_t op);

/* Appends the order that ends in `entry` to the decision's witness and empties the log. */
void log_flush(struct step_log *log, uint32_t entry, struct decision *d);

/* Moves the common beginning of all orders to the witness and forgets dead entries, when it is time to. */
void log_collect(struct step_log *log, struct level *level, struct decision *d);

#endif
