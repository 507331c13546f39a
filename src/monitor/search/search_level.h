/* SPDX-License-Identifier: Apache-2.0 */
/* A level of the general search: the set of all ways to have got here. A node
 * is a mask (which open operations have taken effect, a bit per slot) and a
 * state of the specification. While a return is processed the level also holds the
 * nodes on the way, so that none is visited twice.
 *
 * A pending operation need not have happened. So a node stands in for every
 * node of equal state that differs from it only in that more pending operations
 * have acted: such a node is never kept beside it. */
#ifndef MONITOR_SEARCH_LEVEL_H
#define MONITOR_SEARCH_LEVEL_H

#include <plumb/spec.h>

#include "monitor/search/search_account.h"

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
void level_mark_pending(struct level *l, uint32_t slot); /* from its call on, for ever */
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

#endif
