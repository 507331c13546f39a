/* SPDX-License-Identifier: Apache-2.0 */
/* Relaxed stacks and priority queues, event by event: the set of all nodes that some order of the operations so far leads
 * to. Operations act as late as possible, when one that returns forces it. Private to quasi_{events,stack,pqueue}.c;
 * docs/internals/monitor/quasi_histories.md has the argument. */
#ifndef MONITOR_QUASI_EVENTS_H
#define MONITOR_QUASI_EVENTS_H

#include "base/hash.h"
#include "base/vec.h"
#include "monitor/quasi/quasi_debts.h"

/* How nodes were reached: steps that share their beginnings. */
#define TRAIL_START UINT32_MAX

struct trail_step {
    uint32_t before; /* TRAIL_START: the first */
    uint32_t op;     /* acts; QUASI_NONE: the removal of `value` is appended */
    uint32_t value;  /* p removes it (appended only) */
    uint32_t pick;   /* q removes it; QUASI_NONE: nothing */
};

struct quasi_trail {
    VEC(struct trail_step) steps;
    size_t next_collection;
};

enum { EVENTS_SLOTS = 64, EVENTS_NO_SLOT = 255 };
enum event_kind { EVENT_ADD, EVENT_REMOVE, EVENT_EMPTY, EVENT_LEFT_OUT };

/* p and q so far. The debts of p, then those of q follow. */
struct events_node {
    uint64_t mask;     /* open operations that have acted, by slot */
    uint32_t removals; /* that have acted */
    uint32_t trail;
    uint32_t content, closed; /* stack: q's content, and as much of it as additions cannot get into */
    /* Stack: at least this many are below what additions to come can overlap */
    uint32_t reached;
    bool dead;
    uint32_t debts[];
};

struct events_level {
    char *bytes;
    size_t len, cap;
};

struct events {
    const struct quasi_items *q;
    const struct events_content *content;
    void *own; /* of the content */
    struct budget *budget;
    size_t charged;
    unsigned shortcuts;
    uint32_t now;   /* time of the current event */
    bool finishing; /* all have acted: removals are appended */

    /* By operation. */
    uint8_t *kind, *slot;
    uint32_t *value;

    uint32_t at[EVENTS_SLOTS]; /* operation in each slot */
    uint64_t used, open_adds, open_removals, open_empties;
    uint32_t *removals_by_call; /* values */
    uint32_t next_removal;      /* the first that has not been called */

    size_t node_bytes;
    struct events_level level;
    struct hash_map index;
    VEC(uint32_t) chain;
    struct quasi_trail trail;
    struct events_node *made; /* scratch */
};

/* What stacks and priority queues do differently, all to one node. */
struct events_content {
    void (*add)(struct events *e, struct events_node *n, uint32_t value);
    /* What q may remove now: how many, at most EVENTS_SLOTS; none when q is empty. */
    uint32_t (*tops)(const struct events *e, const struct events_node *n, uint32_t *values);
    void (*remove)(struct events *e, struct events_node *n, uint32_t value);
    /* How many have to leave before `value`, which is inside; counting stops beyond `most`. */
    uint32_t (*above)(const struct events *e, const struct events_node *n, uint32_t value, uint32_t most);
    /* What q contains, for a hash; and whether everything that q may do in b it may do in a. */
    uint64_t (*hash)(const struct events *e, const struct events_node *n);
    bool (*covers)(const struct events *e, const struct events_node *a, const struct events_node *b);
    /* Before nodes are compared, as time goes by; or null. */
    void (*refresh)(const struct events *e, struct events_node *n);
    /* Once per value: its addition is called; its removal has returned. Null: not needed. */
    void (*called)(struct events *e, uint32_t value);
    void (*returned)(struct events *e, uint32_t value);
    /* The two sequences, from the steps of the trail. */
    void (*witness)(const struct events *e, const struct trail_step *steps, size_t count,
                    struct quasi_found *found);
};

enum verdict events_decide(struct events *e, struct quasi_found *found);

static inline struct events_node *events_node_at(const struct events *e, size_t k)
{
    return (struct events_node *)(e->level.bytes + k * e->node_bytes);
}

static inline uint32_t *events_debts_of_p(const struct events_node *n)
{
    return (uint32_t *)n->debts;
}

static inline uint32_t *events_debts_of_q(const struct events *e, const struct events_node *n)
{
    return (uint32_t *)n->debts + debts_words(e->q->factor);
}

/* Has the operation, whose call was at `call`, acted? */
static inline bool events_acted(const struct events *e, const struct events_node *n, uint32_t op,
                                uint32_t call)
{
    if (op == QUASI_NONE || call > e->now)
        return false;
    return e->slot[op] == EVENTS_NO_SLOT || (n->mask >> e->slot[op] & 1);
}

#endif
