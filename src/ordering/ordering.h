/* SPDX-License-Identifier: Apache-2.0 */
/* Specifications with ordering points: in which orders calls may have happened, whether one of them (or every one) is legal, and
 * which calls have to happen before which. It knows calls as numbers and their points as keys; what a call does to the sequential
 * state is a matter of the caller. docs/internals/judge/annotations.md. */
#ifndef ORDERING_ORDERING_H
#define ORDERING_ORDERING_H

#include "base/budget.h"
#include "base/verdict.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ORDERING_LOOK: with ORDERING_SOME, so many calls are run after a legal order was found to find one that is not. */
enum { ORDERING_CALLS_MAX = 64, ORDERING_LOOK = 1 << 12 };

/* An ordering point. Points are ordered by their keys at one location: 2 * (index in mo of the write that it is, or reads
 * from), and one more if it only reads. ordering_points.h finds them in a graph. */
struct ordering_point {
    uint64_t event; /* the same in calls that share it */
    uint32_t location, key;
};

struct ordering_call {
    uint32_t interface, object;
    uint64_t id, conditions; /* of a completed call */
    const struct ordering_point *points;
    uint32_t point_count;
    /* The calls of a thread end in this order, an inner one before the outer one; a call without result as if it had ended
     * when the one it is in does. Calls that share points have their effects in this order. */
    uint32_t end_number;
    /* False: it has no result, so its postcondition is not asked for, no rule is about it, and it is left out if it has no
     * points. */
    bool completed;
};

struct ordering_rule {
    uint32_t from, to;                     /* interfaces */
    uint64_t from_condition, to_condition; /* a bit; 0: any call */
    uint32_t structure_rule;               /* number that reports name */
};

/* What calls do. The state is that of all objects together. */
struct ordering_machine {
    void *context;
    void (*reset)(void *context);
    bool (*pre)(void *context, uint32_t call);
    void (*effect)(void *context, uint32_t call);
    bool (*post)(void *context, uint32_t call);
    /* The state as bytes, which stay valid until the next call of any of these functions */
    size_t (*save)(void *context, const void **bytes);
    void (*restore)(void *context, const void *bytes, size_t size);
};

enum ordering_mode { ORDERING_SOME, ORDERING_EVERY }; /* words of --histories */

enum ordering_fault {
    ORDERING_FINE,
    ORDERING_CYCLE,     /* the points contradict each other */
    ORDERING_CONDITION, /* a pre- or postcondition does not hold */
    ORDERING_SYNC,      /* a rule is broken */
};

struct ordering_question {
    const struct ordering_call *calls;
    uint32_t count; /* at most ORDERING_CALLS_MAX */
    enum ordering_mode mode;
    struct ordering_machine machine;
    const struct ordering_rule *rules;
    uint32_t rule_count;
    /* Row a, bit b: the begin of call a happens before the end of b; may be null if there are no rules */
    const uint64_t *before;
    struct budget *budget; /* or null */
};

struct ordering_answer {
    enum verdict verdict; /* inconclusive: the budget */
    enum ordering_fault fault;
    /* A legal order; or the longest legal one before the failing call (ORDERING_EVERY: the first one that fails); or a
     * shortest cycle, of which each call is before the next one and the last before the first. Of several, the one that is
     * first by the numbers of its calls. */
    uint32_t order[ORDERING_CALLS_MAX];
    uint32_t order_count;
    uint32_t failed;        /* condition: the call; sync: the later call of the rule */
    bool failed_pre;        /* its precondition, not its postcondition */
    uint32_t earlier, rule; /* sync: the earlier call, and the index in `rules` */
    bool undetermined;      /* SOME: legal, but another order is not */
    bool looked_partly;     /* SOME: legal, not undetermined so far, but not all orders were looked at */
    /* Condition, or undetermined: an order that fails, up to and including all calls of the node that does, of which one is
     * other_failed. Of a condition it begins with `order`. */
    uint32_t other[ORDERING_CALLS_MAX];
    uint32_t other_count, other_failed;
    uint64_t histories_tried;
};

struct ordering_answer ordering_check(const struct ordering_question *q);

/* Runs the order of the answer, and what fails after it, again. False: with another result, so conditions do not depend on the state
 * alone. Points that contradict each other have no order: true. */
bool ordering_repeats(const struct ordering_question *q, const struct ordering_answer *answer);

/* Of an undetermined answer: two calls without order of which it matters which one comes first. False: not found, because
 * conditions do not depend on the state alone. */
bool ordering_unordered_pair(const struct ordering_question *q, const struct ordering_answer *answer,
                             uint32_t pair[2]);

/* Points of the two calls, or of calls that share points with them, by which a is before b. False: there are none. */
bool ordering_edge(const struct ordering_question *q, uint32_t a, uint32_t b, struct ordering_point edge[2]);

#endif
