/* SPDX-License-Identifier: Apache-2.0 */
/* What several polynomial algorithms need: heaps of open operations, late
 * placing of operations that change nothing, and the ends of decisions. */
#ifndef MONITOR_DECIDER_TOOLS_H
#define MONITOR_DECIDER_TOOLS_H

#include "monitor/part.h"

#define TOOLS_NONE UINT32_MAX

/* Many pairing heaps of operations, ordered by return, in one pool of nodes.
 * A heap is the number of its root; 0 is the empty heap. The same nodes also
 * make lists, linked by `next`. */
struct op_node {
    uint32_t op, child, next;
};

struct op_heaps {
    VEC(struct op_node) nodes;
    uint32_t unused;     /* list of nodes to use again */
    const uint32_t *ret; /* return rank of each operation */
};

void op_heaps_free(struct op_heaps *h);
uint32_t op_node_new(struct op_heaps *h, uint32_t op);
void op_node_release(struct op_heaps *h, uint32_t node);

void op_heap_push(struct op_heaps *h, uint32_t *heap, uint32_t op);
uint32_t op_heap_pop(struct op_heaps *h, uint32_t *heap); /* earliest return; heap not empty */

/* An operation without effect that is placed into a finished order. */
struct extra {
    uint32_t op;
    uint32_t unless; /* colour of the gaps it must not be in; TOOLS_NONE: none */
};

/* Items by class, in the order given: those of class k are items[start[k] .. start[k + 1]). */
struct groups {
    uint32_t *start, *items;
};

/* class_of[item]; what has none below `classes` is left out. `items` null: 0 .. count - 1. */
struct groups groups_make(const uint32_t *items, uint32_t count, const uint32_t *class_of, uint32_t classes);
void groups_free(struct groups *g);

/* The order, which is given away, becomes the witness. */
void witness_take(struct decision *d, uint32_t **order, size_t length);

/* Inserts `extras` (in order of their calls) into the legal order d->witness. colour[j] describes
 * the state after the first j operations of it; null: every extra fits in every state. False: one fits nowhere. */
bool witness_insert(const struct part *p, struct decision *d, const struct extra *extras, size_t count,
                    const uint32_t *colour);

/* Finishes a decision: sets answer and reason, and frees what does not belong to it. */
enum verdict decision_not_mine(struct decision *d, const char *why);
enum verdict decision_limit(struct decision *d);
enum verdict decision_holds(struct decision *d);

/* Violated, by an object that does not fall apart into values: the general search finds the core, among the operations of
 * this one's key. */
enum verdict decision_violated_at(struct decision *d, uint32_t op);

/* Is this part rejected? An algorithm without the making of a core. */
typedef bool part_violated(const struct part *p);

/* Finishes a violation whose core candidate is in d->core (any order, repetitions allowed): sorts it, and checks with
 * `violated` that it is one (if not, the whole part is the core). */
enum verdict decision_violated(const struct part *p, struct decision *d, part_violated *violated);

#endif
