/* SPDX-License-Identifier: Apache-2.0 */
/* Containers (queue, stack, priority queue, bag, deque) seen value by value.
 *
 * Every value is added at most once and removed at most once, so a history is a set of values, each with
 * the interval in which it is certainly inside: inner(v) = the gaps ar <= g < dc. Gap g is the moment just
 * after event g; an operation can take effect at g when call <= g < ret. An answer "empty" is legal exactly
 * when a gap without any inner interval lies in it. */
#ifndef MONITOR_CONTAINER_H
#define MONITOR_CONTAINER_H

#include "monitor/part.h"

#define NO_VALUE UINT32_MAX
#define NO_OP UINT32_MAX
#define NO_GAP UINT32_MAX

struct container_value {
    uint32_t add;        /* NO_OP only while the container is being built */
    uint32_t rem;        /* NO_OP: still inside at the end */
    uint32_t ac;         /* call of the addition */
    uint32_t ar;         /* first return of any operation on the value: it was added by then */
    uint32_t dc;         /* last call of any operation on the value: it is inside until then */
    uint32_t dr;         /* return of the removal; never: event_count + 1 */
    uint32_t seen;       /* first return of a peek; never: UINT32_MAX */
    uint32_t first_peek; /* list through container.next_peek */
};

struct container {
    const struct part *part;
    uint32_t events; /* event_count; the gap `events` is END, after everything */
    struct container_value *values;
    uint32_t value_count;
    uint32_t *value_of;             /* of each operation; NO_VALUE: empty, dropped or free */
    uint32_t *next_peek;            /* null without peeks */
    VEC(uint32_t) empties;          /* completed operations that answered "empty" */
    VEC(uint32_t) free_reads;       /* completed peeks whose answer is not known */
    VEC(uint32_t) pending_removals; /* may have taken any value that is still inside */
};

/* The value an operation adds; what a removal or peek of it answers. */
plumb_value container_added_value(const struct part *p, uint32_t i);

/* Builds the view of `p`. VERDICT_HOLDS: built, nothing decided yet. NONE and VIOLATED (a value removed
 * twice, never added, seen before it was added or after it was gone) are final and set in `d`.
 * container_free in every case. */
enum verdict container_build(struct container *c, const struct part *p, struct decision *d);
void container_free(struct container *c);

/* Recomputes the times of value `v`, taken by pending removal `rem` (NO_OP: by none). */
void container_assign(struct container *c, uint32_t v, uint32_t rem);

/* Chooses a gap (between a call and a return) without any inner interval for each empty answer: picks[k] for
 * empties.data[k]. False: there is none for some, and its core is in d. */
bool container_pick_empties(const struct container *c, uint32_t *picks, struct decision *d);

/* Adds all operations of value `v` to d->core. */
void container_add_to_core(const struct container *c, uint32_t v, struct decision *d);

/* Puts the free reads into a finished witness. */
void container_insert_free_reads(const struct container *c, struct decision *d);

/* Decides a built container; d->core gets the operations of the values in conflict. */
typedef enum verdict container_solver(struct container *c, struct budget *budget, struct decision *d);

/* Builds the view and runs `solve`, trying the values that pending removals may have taken. */
enum verdict container_decide(const struct part *p, struct budget *budget, container_solver *solve,
                              struct decision *d);

/* A container from which one value comes out more often than it was put in. */
struct shortage {
    /* By the time `removal` returned: the additions count when they are called */
    uint32_t removed, added;
    uint32_t removal;
};

/* Counts in a part of a container in which all operations add or remove the same value, and all removals returned. False:
 * it is none, or nothing is missing. *out starts as zeros. */
bool shortage_find(const struct part *p, struct shortage *out);

#endif
