/* SPDX-License-Identifier: Apache-2.0 */
/* One counterexample structure, many renderers. Renderers never run a checker. The caller keeps
 * ownership of every string; renderers do not keep pointers. */
#ifndef REPORT_COUNTEREXAMPLE_H
#define REPORT_COUNTEREXAMPLE_H

#include "base/text.h"
#include "history/history.h"

struct report_op {
    uint32_t id;             /* index in the input */
    uint64_t line;           /* input line, 0: unknown */
    const char *place;       /* "queue.c:12", where the operation is in the source, or null */
    const char *thread;      /* printed name */
    plumb_value thread_name; /* as the input has it */
    int64_t call, ret;
    bool pending;
    bool guilty;
    const char *label; /* "deq() = 5" */
    const char *name;  /* "deq" */
    plumb_value arg, result;
};

struct report_step {
    uint32_t op; /* index into ops */
    const char *state;
};

/* An order that is legal as far as it goes. */
struct report_attempt {
    const struct report_step *legal;
    size_t legal_count;
    int stuck; /* index into ops: the operation that cannot follow; or -1 */
    const char *stuck_why;
    const plumb_value *expected; /* a few of the answers that are possible there; none: it cannot return */
    size_t expected_count;
};

struct report_counterexample {
    const char *file;                   /* name of the input */
    const char *spec;                   /* "queue" */
    bool spec_inferred;                 /* from the operations: nobody named it */
    const char *object;                 /* printed name, or null when there is only one */
    const char *key;                    /* printed key, or null */
    plumb_value object_name, key_value; /* as the input has them */
    const char *one_line;               /* "not linearizable: deq() = 5 is impossible" */
    const char *why;                    /* the sentence */
    const char *initial_state;
    bool initial_is_usual;       /* what the specification starts from when nothing else is said */
    size_t earlier;              /* operations before the core that lead to that state in every legal order */
    const struct report_op *ops; /* the core, ascending by call */
    size_t op_count;
    bool minimal;     /* no sound deletion makes the core smaller */
    size_t total_ops; /* of the whole input */
    const struct report_step *legal;
    size_t legal_count;
    int stuck; /* index into ops, or -1 */
    const char *stuck_why;
    const plumb_value *expected; /* as in report_attempt */
    size_t expected_count;
    const struct report_attempt *others; /* the next longest ones */
    size_t other_count;
    bool attempts_are_all;      /* every order fails as one of those told */
    const uint32_t *untimely;   /* indices into ops: an order that agrees with all but time */
    size_t untimely_count;      /* 0: there is none */
    size_t too_early, too_late; /* indices into ops: the second had returned before the first was called */
    bool tells_others;          /* in text, too */
    const char *judged_by;      /* instead of the name of the specification; or null */
    const char *found_by, *confirmed_by;
    const char *replay; /* command that shows this again */
    const struct plumb_values *values;
};

struct report_style {
    unsigned columns; /* at least 40 */
    bool color;
    bool unicode;
};

/* One screen: guilty line, sentence, lanes, longest legal order, replay. */
void report_terminal(struct text *out, const struct report_counterexample *c,
                     const struct report_style *style);

/* The JSON object "counterexample" of DESIGN's document. */
void report_json(struct text *out, const struct report_counterexample *c);

#endif
