/* SPDX-License-Identifier: Apache-2.0 */
/* A part: the operations that are decided together (one object, or one key of
 * it), in ranked time of their own. Algorithms number them 0..count-1. */
#ifndef MONITOR_PART_H
#define MONITOR_PART_H

#include <plumb/spec.h>

#include "base/budget.h"
#include "base/verdict.h"
#include "history/order.h"

#include <string.h>

struct part {
    const struct plumb_spec *spec;
    const struct plumb_spec_options *options;
    const struct history *history; /* bound: op numbers are the specification's */
    const uint32_t *ops;           /* part index -> index in the history; null: the same */
    struct order order;            /* ranks over this part only */
};

static inline uint32_t part_history_index(const struct part *p, uint32_t i)
{
    return p->ops ? p->ops[i] : i;
}

/* A copy, which lives as long as the block that asks for it. */
#define part_op(p, i) history_at((p)->history, part_history_index((p), (i)))

static inline enum plumb_role part_role(const struct part *p, uint32_t i)
{
    return p->spec->operations[part_op(p, i)->op].role;
}

/* The last argument of a call: what it adds or writes. */
static inline plumb_value part_payload(const struct part *p, uint32_t i)
{
    const struct history_op *op = part_op(p, i);
    size_t count = strlen(p->spec->operations[op->op].args);
    return count > 1 ? plumb_array_item(p->history->values, op->arg, count - 1) : op->arg;
}

static inline struct plumb_call part_call(const struct part *p, uint32_t i)
{
    const struct history_op *op = part_op(p, i);
    return (struct plumb_call){
        .op = op->op,
        .thread = op->thread,
        .arg = op->arg,
        .result = op->pending ? PLUMB_ANY : op->result,
    };
}

/* The part of `p` that consists of `chosen` (ascending part indices). Free with part_free. */
struct part part_restrict(const struct part *p, const uint32_t *chosen, uint32_t count);

/* Replaces `p`, which is freed, by that part of it. */
void part_keep(struct part *p, const uint32_t *chosen, uint32_t count);

/* The part of `p` up to and including event `last`: what is called later is left out, and what returns later becomes
 * optional (ret is ORDER_NEVER, with the answer it is known to have). Free with part_free. */
struct part part_cut(const struct part *p, uint32_t last);

void part_free(struct part *p);

struct quasi_found; /* quasi_items.h */

/* What an algorithm found out about a part. */
struct decision {
    enum verdict verdict;      /* NONE: this algorithm does not decide such histories */
    const char *why;           /* static text: reason of NONE */
    VEC(uint32_t) witness;     /* part indices; every completed operation, any of the pending ones */
    VEC(uint32_t) core;        /* part indices */
    struct quasi_found *quasi; /* of quasi_decide; else null */
    /* Violated under a specification that allows more than this one, which is the object's; or null */
    const struct plumb_spec *stricter;
    uint32_t legal_events; /* general search, violated: the first so many events have a legal order */
};

void decision_free(struct decision *d);

/* Histories in which several threads return and call again at one and the same stamp. Their precedences are
 * no order of events (order.h), so the fast algorithms and the split by keys decide only a neighbour of
 * the question: with the ranks as they are, program order at the tie is forgotten (a violation is one);
 * with tightened ranks there are more precedences than stamps say (a legal order is one). */

/* The part with the events of each stamp reordered so that all of program order stands. Free with part_free. */
struct part ties_tighten(const struct part *p);

/* The part without `after`: program order at ties is forgotten. Shares the arrays of `p`; not to be freed. */
struct part ties_forget(const struct part *p);

/* Splits a part into classes (objects, keys) that are decided one by one; each keeps the order of
 * time of its own events. All classes together cost one pass and one set of arrays. */
struct partition {
    const struct part *whole;
    uint32_t count;     /* classes */
    uint32_t *first_op; /* per class, and the end: its operations in the arrays below */
    uint32_t *first_event;
    uint32_t *member; /* index in the whole part */
    uint32_t *ops;    /* index in the history */
    uint32_t *call, *ret, *event, *after;
};

/* class_of[i] < count for each operation of `whole`, which must outlive the partition. */
void partition_split(struct partition *p, const struct part *whole, const uint32_t *class_of, uint32_t count);
void partition_free(struct partition *p);

/* Class number k as a part; not to be freed, valid as long as the partition. */
struct part partition_get(const struct partition *p, uint32_t k);

/* Numbers the keys of all operations; returns how many there are. `class_of` has room for all operations. */
uint32_t partition_by_key(const struct part *whole, uint32_t *class_of);

#endif
