/* SPDX-License-Identifier: Apache-2.0 */
/* The tool's side of `plumb prove`: from the user's files to an answer about every sequence of calls. The search runs in a process of
 * its own (prove/prove_shared.h); a counterexample is run again in another one, and judged here, before *violated* is said.
 * docs/internals/prove.md. */
#ifndef PROVING_PROVING_H
#define PROVING_PROVING_H

#include "base/text.h"
#include "base/verdict.h"
#include "explain/model/explain_model.h"
#include "prove/prove_shared.h"
#include "target/build.h"

struct proving_listener {
    void (*progress)(void *context, uint64_t pairs, uint64_t frontier, double seconds);
    void *context;
};

struct proving {
    struct target_source source;
    const char *name; /* of the first file */
    struct prove_question question;
    const char *command;   /* that shows the result again */
    const char *spec_word; /* --spec, as the user wrote it; null: none */
    /* What another implementation answers is the specification: its file, or a macro that makes it of the same files; null: none */
    const char *golden, *golden_define;
    /* Variables, separated by commas: counters that are shifted, and what is forgotten; null: none */
    const char *shifts, *forgets;
    struct proving_listener listener;

    /* Found out: */
    struct diagnostic error; /* it could not be asked */
    enum verdict verdict;
    char why[PROVE_MESSAGE];     /* inconclusive: what was met; violated: the fault, if it is one */
    struct text unseen;          /* accesses that nothing announces; empty: none */
    struct prove_shared *answer; /* of the search: a copy */
    /* VIOLATED */
    struct refine_system system;
    const char *ops[PROVE_OPERATIONS_MAX];
    struct refine_result run;
    struct refine_outcome outcome;
    struct explained_model found;
    VEC(struct refine_place) places;
    VEC(char *) texts;
    uint64_t steps, calls; /* of the counterexample */
    bool has_spurious;     /* in it a thread is woken for no reason */
};

void proving_run(struct proving *p);
void proving_free(struct proving *p);

/* ---- proving_golden.c ---- */

/* Fills in the table of p->answer, by serial runs of `program` or of the golden implementation. False: p->error or p->why says why not. */
bool proving_find_table(struct proving *p, const struct target_program *program);

/* ---- proving_counters.c ---- */

/* The words of the program with these names. False: p->error. */
bool proving_find_words(struct proving *p, const char *path, const char *wanted, struct prove_word *list,
                        uint32_t *count);

/* ---- proving_process.c ---- */

/* Runs the program with what is in `shared`, until it ends, time is up or somebody interrupts; what it answered is in `shared` then.
 * False: it gave none, and p->why or p->error says so. */
bool proving_process(struct proving *p, const char *path, struct prove_shared *shared);

/* ---- proving_counterexample.c ---- */

/* Makes p->run and p->found of the events of a replay. False: the monitor does not agree; p->why. */
bool proving_explain(struct proving *p, const char *path, const struct prove_shared *replayed);

/* ---- proving_stuck.c ---- */

/* The open operation of the thread must be able to return: whatever has taken effect, the specification does not have it wait. */
bool proving_must_return(const struct plumb_spec *spec, const struct history *h, unsigned thread);

#endif
