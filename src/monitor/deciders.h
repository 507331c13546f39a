/* SPDX-License-Identifier: Apache-2.0 */
/* Polynomial algorithms, one per kind of object. Each answers NONE (with
 * the reason) for histories outside its domain: repeated values, unknown results
 * and the like. HOLDS comes with a witness, VIOLATED with a core: of
 * containers and registers one whose violation implies the part's, else an operation
 * of the violated key. They read ranks only and ignore order.after.
 * What each takes for granted about the object stands beside its kind (enum plumb_kind,
 * plumb/spec.h). docs/internals has a page for each. */
#ifndef MONITOR_DECIDERS_H
#define MONITOR_DECIDERS_H

#include "monitor/part.h"

typedef enum verdict decider(const struct part *p, struct budget *budget, struct decision *d);

decider queue_decide;         /* queue.c */
decider queue_repeats_decide; /* queue_repeats.c: what queue_decide leaves because values repeat */
decider stack_decide;         /* stack.c */
decider pqueue_decide;        /* pqueue.c */
decider bag_decide;           /* bag.c */
decider deque_decide;         /* deque.c */
decider set_decide;           /* set.c: all keys of the set at once */
decider set_reads_decide;     /* set_reads.c: a set that grows and is read as a whole */
decider multiset_decide;      /* multiset.c: one key */
decider counter_decide;       /* counter.c */
decider register_decide;      /* register.c: register; one key of map and kv */
decider appends_decide;       /* appends.c: one key of kv, with appends */
decider map_decide;           /* map.c: one key of a map, with removals */

/* The second polynomial algorithm for stacks (LiMo's algorithm 7, corrected): answer only. */
decider stack_confirm; /* stack_confirm.c */

/* The second route for appended strings: it only ever says that there is no order. */
decider appends_confirm; /* appends_confirm.c */

/* The second route for sets that are read as a whole: it only ever says that there is no order. */
decider set_reads_confirm; /* set_reads_confirm.c */

#endif
