/* SPDX-License-Identifier: Apache-2.0 */
/* The tool's side of `plumb prove`: from the user's files to an answer about every sequence of calls. The search runs in a process of
 * its own (prove/prove_shared.h); a counterexample is run again in another one, and judged here, before *violated* is said.
 * docs/internals/refine/prove.md. */
#ifndef PROVING_PROVING_H
#define PROVING_PROVING_H

#include "base/text.h"
#include "base/verdict.h"
#include "explain/model/explain_model.h"
#include "prove/prove_shared.h"
#include "proving/proving_record.h"
#include "target/trace_file.h"

struct proving_listener {
    void (*progress)(void *context, uint64_t pairs, uint64_t frontier, double seconds);
    void *context;
};

struct proving {
    struct target_source source;
    const char *name; /* of the first file */
    struct prove_question question;
    const char *spec_word; /* --spec, as the user wrote it; null: none */
    /* What another implementation answers is the specification: its file, or a macro that makes it of the same files; null: none */
    const char *golden, *golden_define;
    /* Variables, separated by commas: counters that are shifted, and what is forgotten; null: none */
    const char *shifts, *forgets;
    /* Where a counterexample is recorded; null: beside the others, or in the folder `out` */
    const char *trace, *out;
    struct proving_listener listener;

    /* Found out: */
    double deadline;         /* base_now() at which question.seconds are over */
    struct diagnostic error; /* it could not be asked */
    enum verdict verdict;
    char why[PROVE_MESSAGE];     /* inconclusive: what was met; violated: the fault, if it is one */
    bool has_own_functions;      /* as target_program has it */
    struct text unseen;          /* accesses that nothing announces; empty: none */
    char *unshown;               /* what the compiler's hooks do not show; null: nothing */
    struct prove_shared *answer; /* of the search: a copy */
    /* HOLDS, and items are compared with each other: pairs of the search in which some are equal, or it was assumed that none are */
    uint64_t equal_pairs;
    bool assumes_different;
    /* VIOLATED */
    struct refine_system system;
    const char *ops[PROVE_OPERATIONS_MAX];
    struct refine_result run;
    struct refine_outcome outcome;
    struct explained_model found;
    VEC(struct refine_place) places;
    VEC(char *) texts;
    uint64_t steps, calls; /* of the counterexample */
    record_numbers record;
    struct text recorded; /* the file; empty: there is none, and `unrecorded` says why */
    struct text replay;   /* the command that shows it again */
    struct diagnostic unrecorded;
    bool has_spurious; /* in it a thread is woken for no reason */
};

void proving_run(struct proving *p);
/* A recorded run once more: p->verdict is VIOLATED if it answers as it did, otherwise p->why says what is different. `gdb`: it is run under gdb
 * then, with these options; null: not. */
struct proving_gdb {
    char *const *options;
    size_t count;
};
void proving_replay(struct proving *p, const struct trace_file *trace, const struct proving_gdb *gdb);
void proving_free(struct proving *p);

/* What is live in its frames, for the process. */
void proving_find_places(const char *path, struct prove_shared *s);
/* The process, with a table from serial runs if it has no specification. False: it gave no answer, and p->why or p->error says so. */
bool proving_ask(struct proving *p, const struct target_program *program);

/* ---- proving_replay.c ---- */

/* What the process of a replay is asked: the record, with specification and tables of p. False: it is no record. */
bool proving_set_replay(const struct proving *p, const int64_t *numbers, size_t count,
                        struct prove_shared *again);
bool proving_has_same_answers(const struct prove_shared *a, const struct prove_shared *b);
/* Writes the counterexample to a file, and the command that shows it again to p->replay. */
void proving_save(struct proving *p);

/* ---- proving_golden.c ---- */

/* Fills in the table of p->answer, by serial runs of `program` or of the golden implementation. False: p->error or p->why says why not. */
bool proving_find_table(struct proving *p, const struct target_program *program);

/* ---- proving_counters.c ---- */

/* The words of the program with these names. False: p->error. */
bool proving_find_words(struct proving *p, const char *path, const char *wanted, struct prove_word *list,
                        uint32_t *count);

/* Numbers with which counters may be compared. */
void proving_find_constants(const char *path, struct prove_question *q);

/* ---- proving_process.c ---- */

/* Runs the program with what is in `shared`, until it ends, time is up or somebody interrupts; what it answered is in `shared` then.
 * False: it gave none, and p->why or p->error says so. */
bool proving_process(struct proving *p, const char *path, struct prove_shared *shared);
/* The same under gdb; p->error if that is not there. */
bool proving_debug(struct proving *p, const struct target_program *program, struct prove_shared *shared,
                   const struct proving_gdb *gdb);

/* ---- proving_counterexample.c ---- */

/* Makes p->run and p->found of the events of a replay. False: the monitor does not agree; p->why. */
bool proving_explain(struct proving *p, const char *path, const struct prove_shared *replayed);

/* ---- proving_stuck.c ---- */

/* The open operation of the thread must be able to return: whatever has taken effect, the specification does not have it wait. */
bool proving_must_return(const struct plumb_spec *spec, const struct history *h, unsigned thread);

#endif
