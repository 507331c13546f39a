/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of explanations of a history. An explanation is a state of R (machine.h) and, for each thread, whether its
 * operation is open, has taken effect with an answer, or there is none. A set stands for all explanations that follow
 * from its members when open operations take effect; members that follow from others are left out, so a set has one form.
 *
 * Sets are numbered, and what happens to a set is kept: the specification's side of a check becomes a deterministic
 * automaton that is built where it is needed. Private to this folder. */
#ifndef REFINE_EXPLANATIONS_H
#define REFINE_EXPLANATIONS_H

#include "base/hash.h"
#include "refine/intern.h"
#include "refine/specification/machine.h"

#include <string.h>

#define EXPLANATIONS_NONE UINT32_MAX
#define EXPLANATIONS_BAD_ORDER (UINT32_MAX - 2)

enum action_kind { ACTION_RENAME, ACTION_CALL, ACTION_RETURN, ACTION_POINT };

/* What the system did, and how its items and threads are named afterwards. */
struct action {
    uint8_t kind, thread, op, arg_count;
    /* CALL: the arguments, which are the largest names (BY_PLACE); the name in the set below which the new item is
     * inserted (BY_RANK); any values (FIXED). */
    uint8_t args[REFINE_ARGS_MAX];
    uint16_t answer;                       /* RETURN, POINT */
    uint8_t threads[REFINE_THREADS_MAX];   /* the place of each thread */
    uint8_t item_count;                    /* of the system, with new ones */
    uint8_t names[RENAMING_ITEMS_MAX + 2]; /* of items 1, 2, ...; 0: the system has lost it */
};

struct explanations {
    struct machine *machine;
    uint32_t threads;
    const char *limit; /* what did not fit; then sets are wrong */
    struct intern members, headers, sets, actions;
    /* Of each set: a bit for each member, by a hash; subsets have subsets of the bits */
    VEC(uint64_t) filters;
    struct hash_map memo; /* set << 32 | action: the next set */
    /* The set that is being made. */
    struct intern drafts;
    VEC(uint8_t) flags; /* of each draft */
    VEC(uint32_t) queue;
    VEC(uint32_t) made;
    struct machine_outcomes outcomes;
    struct renaming naming; /* of the latest set that was made */
};

void explanations_init(struct explanations *e, struct machine *machine, uint32_t threads);
void explanations_free(struct explanations *e);
size_t explanations_footprint(const struct explanations *e);

uint32_t explanations_first(struct explanations *e);

/* EXPLANATIONS_NONE: nothing explains that. EXPLANATIONS_BAD_ORDER: the thread calls while it has an open operation, or
 * returns from one that is not open. */
uint32_t explanations_after(struct explanations *e, uint32_t set, const struct action *action);

/* The same, for a reader: to[item] is what became of an item's name in the set (after a new one was inserted, BY_RANK). */
void explanations_trace(struct explanations *e, uint32_t set, const struct action *action, uint8_t *to);

/* Does some explanation leave the thread's open operation without effect, where the specification has it wait? */
bool explanations_may_wait(struct explanations *e, uint32_t set, unsigned thread);

/* Is every member of `small` one of `large`? Members of both have the same names for items. */
bool explanations_include(const struct explanations *e, uint32_t small, uint32_t large);

/* BY_RANK: how many items the set names, and how many of the system's items are among the first `below` of them. */
unsigned explanations_item_count(const struct explanations *e, uint32_t set);
unsigned explanations_items_below(const struct explanations *e, uint32_t set, unsigned below);

/* How explanations.c and explanations_form.c see members and sets. */

/* A member: a slot for each thread, then the state of R. */
enum slot_kind { SLOT_IDLE, SLOT_CALLED, SLOT_DONE, SLOT_UNBORN };
enum { SLOT_SIZE = 3, MEMBER_MAX = MACHINE_STATE_MAX + SLOT_SIZE * REFINE_THREADS_MAX, NO_OP = 0xff };

struct member {
    uint8_t bytes[MEMBER_MAX];
    size_t length;
};

/* What the members of a set have in common. */
struct header {
    uint8_t ops[REFINE_THREADS_MAX]; /* NO_OP: none is open */
    uint8_t item_count;              /* BY_RANK: names are 1..item_count */
    uint8_t live_count;
    uint8_t live[RENAMING_ITEMS_MAX + 1]; /* the system's items, ascending */
};

static inline uint8_t *slot_of(struct member *m, unsigned thread)
{
    return m->bytes + SLOT_SIZE * thread;
}

static inline size_t slots_size(const struct explanations *e)
{
    return SLOT_SIZE * e->threads;
}

static inline void get_draft(const struct explanations *e, uint32_t number, struct member *m)
{
    const uint8_t *bytes = intern_get(&e->drafts, number, &m->length);
    memcpy(m->bytes, bytes, m->length);
}

/* Every item of the member gets its new name. */
void explanations_rename_member(const struct explanations *e, struct member *m, struct renaming *naming);

/* The number of the set whose members are the drafts in e->made, after the names changed as the action says. */
uint32_t explanations_form_set(struct explanations *e, struct header *h, const struct action *a);

#endif
