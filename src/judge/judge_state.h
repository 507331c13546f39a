/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the judge share. */
#ifndef JUDGE_JUDGE_STATE_H
#define JUDGE_JUDGE_STATE_H

#include "judge/judge.h"

#include "base/hash.h"
#include "base/vec.h"
#include "spec/states.h"

static inline uint64_t judge_bit(uint32_t i)
{
    return UINT64_C(1) << i;
}

/* for (uint32_t i : set) */
#define JUDGE_EACH(i, set)                                                                              \
    for (uint64_t i##_left = (set), i = 0; i##_left && (i = (uint64_t)__builtin_ctzll(i##_left), true); \
         i##_left &= i##_left - 1)

/* --- the specification as an automaton over numbers --------------------------------------------------- */

/* Sets of states of one object's specification are numbered as they are met, and so are calls with their results. */
enum { SPACE_DEAD = 0, SPACE_NONE = UINT32_MAX };

struct judge_space_set {
    uint32_t first, count; /* in members */
    uint32_t next;         /* with the same hash */
};

struct judge_space {
    const struct plumb_spec *spec;
    const struct plumb_spec_options *options;
    struct spec_states states;
    VEC(uint32_t) members;
    VEC(struct judge_space_set) sets; /* number 0 is empty */
    VEC(struct plumb_call) labels;
    VEC(uint32_t) next_label;
    struct hash_map set_numbers, label_numbers, moves, ends;
    VEC(uint32_t) gathered; /* scratch */
    uint32_t start;
};

void judge_space_init(struct judge_space *s, const struct plumb_spec *spec,
                      const struct plumb_spec_options *options);
void judge_space_free(struct judge_space *s);
uint32_t judge_space_label(struct judge_space *s, const struct plumb_call *call);
uint32_t judge_space_move(struct judge_space *s, uint32_t set, uint32_t label);
/* May a sequence end in one of these states, and (`waiting` not SPACE_NONE) does that call wait there? */
bool judge_space_may_end(struct judge_space *s, uint32_t set, uint32_t waiting);
size_t judge_space_entries(const struct judge_space *s);

/* --- calls and returns, ordered ------------------------------------------------------------------------ */

/* What is certain about calls and returns: closed under composition. */
struct judge_relation {
    uint64_t to_return[JUDGE_OPS_MAX]; /* of a call: the returns after it */
    uint64_t to_call[JUDGE_OPS_MAX];   /* of a return: the calls after it */
};

void judge_relation_close(struct judge_relation *r, uint32_t count);
void judge_relation_precede(struct judge_relation *r, uint32_t count, uint32_t a, uint32_t b);
/* The call of b is before the return of a. */
void judge_relation_overlap(struct judge_relation *r, uint32_t count, uint32_t b, uint32_t a);

/* --- one object of an execution ------------------------------------------------------------------------ */

struct judge_part {
    uint32_t count;
    uint32_t object;
    uint64_t all, completed;
    enum judge_ending ending;
    bool timed;
    const struct judge_op *ops;
    const uint8_t *hint;
    const uint64_t *after, *knows, *hinder, *causes;
    const uint8_t *number; /* in the execution; null: the same */
    const struct judge_execution *execution;
};

/* What is enough for an execution with the same outcome to hold: at least these bits. */
struct judge_certificate {
    uint64_t *knows, *hinder, *causes; /* null: none are needed */
};

struct judge_outcome {
    uint32_t next; /* with the same hash */
    uint32_t count, object;
    uint64_t completed;
    enum judge_ending ending;
    bool timed;
    struct judge_op *ops;
    uint64_t *after;
    bool studied;
    uint32_t labels[JUDGE_OPS_MAX];
    uint64_t before[JUDGE_OPS_MAX];    /* `after` the other way round */
    uint64_t conflicts[JUDGE_OPS_MAX]; /* operations whose order matters */
    VEC(struct judge_certificate) certificates;
    VEC(uint64_t *) bad; /* timed: with no more than these bits it is violated */
};

/* A legal order, and which part of it matters: any order that respects `before` is legal. */
struct judge_found {
    uint32_t length;
    uint8_t order[JUDGE_OPS_MAX];
    uint64_t members;
    uint64_t before[JUDGE_OPS_MAX]; /* closed */
};

struct judge_question {
    const struct judge_part *part;
    const struct judge_outcome *outcome;
    uint32_t waits;                 /* the operation that has to wait at the end, or JUDGE_NO_OP */
    uint64_t before[JUDGE_OPS_MAX]; /* the order to respect */
    /* Row x: returns that are surely after the call of x; null: any legal order will do. */
    const uint64_t *surely;
};

struct judge_failed {
    uint64_t done;
    uint32_t set;
    uint32_t round;
};

struct judge_level {
    struct judge_relation relation;   /* weak: by happens-before */
    struct judge_relation causes;     /* weak only */
    uint64_t orders[JUDGE_OPS_MAX];   /* added by the client */
    uint64_t overlaps[JUDGE_OPS_MAX]; /* timed: decided to overlap, bit a of row b */
    uint64_t excluded[JUDGE_OPS_MAX]; /* weak: orders that were tried already, bit b of row a */
};

/* Of the automaton of legal orders of one outcome. */
struct judge_node {
    uint64_t done;
    uint64_t ends; /* for which of the goals a legal order may end here */
    uint32_t set;
    uint32_t class; /* equal: the same continuations are legal; 0: none */
    uint32_t next;  /* with the same hash */
};

struct judge {
    struct judge_settings settings;
    const char *limit;
    struct judge_counts counts;
    uint64_t effort; /* left for this execution */
    struct judge_space *spaces;
    VEC(struct judge_outcome *) outcomes;
    struct hash_map outcome_numbers;
    size_t certificate_rows;

    /* scratch of one decision */
    struct judge_part part;
    VEC(struct judge_level *) levels;
    struct judge_certificate needed; /* rows of JUDGE_OPS_MAX */
    bool asked_model;                /* the answer holds for this execution only */
    struct judge_failed *failed;
    size_t failed_mask, failed_count;
    uint32_t failed_round;
    VEC(struct judge_node) nodes;
    VEC(uint32_t) edges;   /* of each node, where each operation leads */
    VEC(uint32_t) classes; /* of each class, a node; and the next class with the same hash */
    struct hash_map node_numbers, class_numbers;
};

enum judge_step { JUDGE_YES, JUDGE_NO, JUDGE_GAVE_UP };

/* False: too much effort. */
static inline bool judge_spend(struct judge *j)
{
    if (j->effort == 0) {
        j->limit = "the search for orders of one execution is too long";
        return false;
    }
    j->effort--;
    return true;
}

/* A legal order as asked for. With `surely`, NO may be wrong. */
enum judge_step judge_find_order(struct judge *j, const struct judge_question *q, struct judge_found *found);

/* Fills in labels and conflicts. */
void judge_study_outcome(struct judge *j, struct judge_outcome *o);

/* All clients at once; NO: the level of that depth has the client's orders. */
enum judge_step judge_search_timed(struct judge *j, struct judge_outcome *o, uint32_t waits, uint32_t *depth);
enum judge_step judge_search_weak(struct judge *j, struct judge_outcome *o, uint32_t waits, uint32_t *depth);

struct judge_level *judge_level_at(struct judge *j, uint32_t depth);

/* Describes a violation in numbers of the execution. */
void judge_report_violation(const struct judge *j, uint32_t waits, const struct judge_level *level,
                            struct judge_violation *v);

#endif
