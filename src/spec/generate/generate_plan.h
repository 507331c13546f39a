/* SPDX-License-Identifier: Apache-2.0 */
/* How to generate histories of one specification: which operations, how
 * often, with which arguments, and the lie a broken history ends in. */
#ifndef SPEC_GENERATE_PLAN_H
#define SPEC_GENERATE_PLAN_H

#include <stdint.h>

enum plan_arg {
    PLAN_NONE,
    PLAN_FRESH,     /* 1, 2, 3, ...: every value once */
    PLAN_PRIORITY,  /* every value once, in no particular order */
    PLAN_NEW_KEY,   /* a fresh value, unless there is a number of keys */
    PLAN_KEY,       /* one of the keys, or a recent fresh value */
    PLAN_KEY_FRESH, /* [key, fresh value] */
    PLAN_KEY_TEXT,  /* [key, fresh string] */
    PLAN_CELL,      /* [the thread's own cell, fresh value] */
    PLAN_ONE,
    PLAN_CAS,         /* [current value or one that never was, fresh value] */
    PLAN_PHASE,       /* the thread's last result */
    PLAN_TRANSACTION, /* writes a fresh value to one key and reads another */
};

struct plan_op {
    const char *name;
    unsigned weight; /* share among the operations; 0: only as `then` of another */
    enum plan_arg arg;
    const char *then;    /* what the thread does next, unless the result was false */
    const char *instead; /* what it turns into when it has waited for too long */
};

enum plan_answer {
    PLAN_HONEST,      /* what the specification answers */
    PLAN_HONEST_OK,   /* plain ok, even where the specification would wait */
    PLAN_FIRST_ARG,   /* the argument of the first operation of the lie */
    PLAN_SECOND_ARG,  /* ... of the second */
    PLAN_GREATER_ARG, /* the greater of both */
    PLAN_NULL,
    PLAN_FALSE,
    PLAN_EMPTY_TEXT,
    PLAN_ANSWER_ONE,
    PLAN_BEFORE,   /* what it would have answered before the lie began */
    PLAN_ONE_MORE, /* one more than the specification answers */
};

struct plan_lie {
    const char *name;
    enum plan_arg arg;
    enum plan_answer answer;
};

enum { PLAN_OPS_MAX = 6, PLAN_LIE_MAX = 3 };

/* The lie runs after everything else has returned, one operation after the other. It must
 * be impossible whatever happened before. */
struct plan {
    const char *spec;
    uint32_t keys; /* by default */
    struct plan_op ops[PLAN_OPS_MAX];
    struct plan_lie lie[PLAN_LIE_MAX];
};

const struct plan *plan_find(const char *spec); /* or null */

#endif
