/* SPDX-License-Identifier: Apache-2.0 */
/* One counterexample structure, many renderers. Renderers never run a checker. The caller keeps
 * ownership of every string; renderers do not keep pointers. */
#ifndef REPORT_COUNTEREXAMPLE_H
#define REPORT_COUNTEREXAMPLE_H

#include "base/text.h"
#include "graph/event.h"
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

/* A stretch of time that has a name: a fault that was injected, say. */
struct report_band {
    uint32_t from, to; /* positions, see below */
    const char *label;
};

/* A legal order of operations, of one object or key. */
struct report_order {
    const uint32_t *ops; /* index into the history's */
    size_t count;
    const char *initial;       /* the state at first, or null */
    const char *const *states; /* after each of them, or null: they are too many */
};

/* A call or a return in the history, which need not be one of the core. */
struct report_moment_event {
    struct report_op op;
    bool returns;
    const char *object; /* printed name, or null when there is only one */
    plumb_value object_name;
};

/* When the history ceased to be legal: operations that have not returned by then count as pending. */
struct report_moment {
    bool known;                             /* false: a limit was met while looking for it */
    bool has_last;                          /* false: it was legal only before it began */
    struct report_moment_event last, first; /* the last legal one, and the first that is not */
    bool relaxed;                           /* of quasi linearizability, which what comes later can mend */
    bool certain; /* nothing longer is legal; else not everything longer was tried */
};

/* The operations around the core, for pictures. Time is the order of calls and returns: positions 0, 1, 2,
 * ... */
struct report_history {
    const struct report_op *ops; /* ascending by call */
    size_t count;
    const uint32_t *call, *ret; /* positions; REPORT_NEVER: pending */
    size_t left_out;            /* operations of the input that are not among them */
    const struct report_band *bands;
    size_t band_count;
    const struct report_order *orders; /* of a history that holds */
    size_t order_count;
};

#define REPORT_NEVER UINT32_MAX

/* One step of an execution. Strings are null, and numbers REPORT_NOTHING, where there is nothing to say. */
struct report_event {
    uint32_t id;                        /* as shown; ascending */
    uint32_t thread;                    /* nothing: of a process of a model that is none of its threads */
    enum event_kind event;              /* EVENT_NONE: a step of a model */
    const char *kind, *order;           /* "R", "acq" */
    const char *text;                   /* what it does, when kind, location and values do not say it */
    const char *changes, *state;        /* of a model: what the step changed, its variables after it */
    const char *location;               /* name */
    uint64_t address;                   /* of the location; distinguishes those of one name */
    unsigned size;                      /* bytes of the access; 0: unknown */
    const char *found, *written;        /* values */
    const char *operation;              /* calls and returns: of which one, "pop()" */
    const char *function;               /* of a lock: that takes it, since what it does then may be no step */
    const char *starts;                 /* of a create: the function that the thread runs */
    const char *answer;                 /* of a return: " = 5" */
    const char *note;                   /* "stale: step 14 wrote 1" */
    const char *place;                  /* "queue.c:31" */
    const char *file;                   /* the same in two parts; null: no line is known */
    uint32_t line, other;               /* other: thread that is created or waited for */
    uint32_t op;                        /* id of the operation it belongs to */
    bool guilty;                        /* the error is about this one */
    bool related, reads, writes, stale; /* related: what follows is known */
    bool source_plain;                  /* what was read is of a plain write, which has no event */
    uint32_t source, place_in_mo, newest; /* source: id, 0: the initial value; newest: id, if stale */
    const uint32_t *before;               /* by thread: id of its last event that happens before; 0: none */
};

#define REPORT_NOTHING UINT32_MAX

/* Where a thread was: the innermost call first. */
struct report_stack {
    uint32_t thread;
    const char *const *frames; /* "push at queue.c:12" */
    size_t count;
};

/* A source file, or the part of it that events are in. */
struct report_source {
    const char *file;
    uint32_t first; /* number of the first line */
    const char *text;
};

/* A call of a function that a specification in comments is about, or of an operation. */
struct report_call {
    const char *label; /* "deq() = 1" */
    uint32_t thread;
    uint32_t begin, end; /* ids of its first and last event; end 0: it has no result */
    const char *state;   /* after it, in the order; null: it has no place there */
    const char *place;   /* "queue.c:12"; or null */
};

enum report_calls_kind {
    REPORT_CYCLE,     /* of the order of points */
    REPORT_CONDITION, /* which does not hold */
    REPORT_SYNC,      /* a call does not happen before another one */
};

/* Why calls contradict a specification with ordering points, or a rule of synchronization. */
struct report_calls {
    enum report_calls_kind kind;
    const struct report_call *calls;
    size_t count;
    const uint32_t *order; /* numbers of calls: a legal order as far as it goes; or the cycle */
    size_t order_count;
    bool every;                  /* every order has to be legal: this is one that is not, not the longest */
    const char *initial;         /* the state before all calls, or null */
    uint32_t failed, earlier;    /* calls; `earlier` should happen before `failed` */
    const char *clause, *values; /* the condition or rule as written, and the values in it; or null */
    const char *place;           /* of the clause, or null */
    /* The write and the read that would have to be release and acquire; null: there are none */
    const struct report_event *release, *acquire;
    bool release_lacks, acquire_lacks; /* it is not yet */
};

/* The steps that led to the error: of threads of a program, or of processes of a model. */
struct report_execution {
    const char *title; /* of the pane; null: "Interleaving" */
    const char *phase; /* in which the error happened */
    const char *place; /* of the error, or null */
    const char *file;  /* the same in two parts; null: no line is known */
    uint32_t line;
    const char *memory, *under_sc, *under_c11, *under_weak, *trace; /* or null */
    uint64_t number, executions, steps;                             /* number and executions: 0: not known */
    const struct report_event *events;
    size_t event_count;
    uint64_t left_out;      /* steps in the middle that are not among them */
    uint64_t left_out_from; /* number of the first of these */
    size_t thread_count;
    const struct report_stack *stacks; /* of the threads that the error is about */
    size_t stack_count;
    const char
        *waits_begin; /* of a deadlock: what `why` begins with, and then says of each thread, as lines */
    const char *const *waits;
    size_t wait_count;
    const char *const *remarks; /* paragraphs: what is odd, and why the memory model allows it */
    size_t remark_count;
    const uint32_t *cited; /* ids of events that the text is about: they are always shown */
    size_t cited_count;
    const struct report_source *sources; /* for pictures */
    size_t source_count;
    const struct report_calls *calls; /* or null */
};

struct report_counterexample {
    const char *kind;                   /* null: "not linearizable" */
    int code;                           /* PL number; 0: that of a history */
    const char *file;                   /* name of the input */
    const char *spec;                   /* "queue" */
    bool spec_inferred;                 /* from the operations, not named */
    const char *object;                 /* printed name, or null when there is only one */
    const char *key;                    /* printed key, or null */
    plumb_value object_name, key_value; /* as the input has them */
    const char *one_line;               /* "not linearizable: deq() = 5 is impossible" */
    const char *why;                    /* the sentence */
    const char *initial_state;
    bool initial_is_usual; /* what the specification starts from when nothing else is said */
    /* Operations before the core that lead to that state in every legal order */
    size_t earlier;
    const struct report_op *ops; /* the core, ascending by call */
    size_t op_count;
    const struct report_op
        *left_out; /* had not returned by then, and with or without them nothing is legal */
    size_t left_out_count;
    /* The operations only show what `why` talks about: alone they may be legal */
    bool excerpt;
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
    bool attempts_are_all;      /* every order fails as one of those listed */
    const uint32_t *untimely;   /* indices into ops: an order that agrees with all but time */
    size_t untimely_count;      /* 0: there is none */
    size_t too_early, too_late; /* indices into ops: the second had returned before the first was called */
    bool tells_others;          /* in text, too */
    const struct report_moment *moment; /* or null: not asked for */
    const char *judged_by;              /* instead of the name of the specification; or null */
    const char *found_by, *confirmed_by;
    const char *replay; /* command that shows this again */
    const struct plumb_values *values;
    const struct report_counterexample
        *explained;                           /* an execution's history, as the monitor sees it; or null */
    const struct report_history *history;     /* all around the core, for pictures; or null */
    const struct report_execution *execution; /* how it came about, or null */
};

struct report_style {
    unsigned columns; /* at least 40 */
    bool color;
    bool unicode;
    unsigned wide;   /* columns of tables; 0: as of all else */
    bool uncut;      /* tables are as wide as they need to be: no terminal cuts them */
    bool full;       /* of executions: all steps */
    uint32_t around; /* those around this one; 0: as usual */
};

/* One screen: guilty line, sentence, lanes, longest legal order, replay. */
void report_terminal(struct text *out, const struct report_counterexample *c,
                     const struct report_style *style);

/* Two lines about the moment, without margin; the second may be missing. */
void report_moment_lines(const struct report_counterexample *c, struct text *last, struct text *first);

/* The JSON object "counterexample" (docs/json.md). */
void report_json(struct text *out, const struct report_counterexample *c);

/* The same for pictures: with `history` and the sources of `execution`. */
void report_json_full(struct text *out, const struct report_counterexample *c);

#endif
