/* SPDX-License-Identifier: Apache-2.0 */
/* Does every history of a system, of any length, have an explanation by a sequential specification: is it linearizable, or
 * quasi linearizable? Breadth first, so a counterexample has the fewest steps. docs/internals/refine/refine.md has the
 * construction: sets of explanations beside each state of the system. */
#ifndef REFINE_REFINE_H
#define REFINE_REFINE_H

#include <plumb/spec.h>

#include "base/budget.h"
#include "base/diagnostic.h"
#include "base/verdict.h"
#include "history/history.h"
#include "refine/system.h"

enum refine_full { REFINE_FULL_ANY, REFINE_FULL_CAPACITY, REFINE_FULL_BLOCK };
enum refine_reading { REFINE_READING_CC, REFINE_READING_C };

struct refine_settings {
    /* The specification: one of the built-in ones, or a system that is one process. */
    const struct plumb_spec *spec;
    const struct refine_system *spec_system;
    const char *quasi; /* factor as in spec/quasi/spec_quasi.h; null: none */
    uint32_t capacity; /* 0: unbounded */
    enum refine_full full;
    enum refine_reading reading;
    uint32_t free_values; /* 0: every addition has a value of its own; else arguments are 1..N */
    bool deadlock;        /* a state without steps that is not final is an error */
    bool use_points;      /* first try with the model's linearization points */
    bool plain;           /* no antichain, no reductions, no renaming of threads: to compare */
    uint32_t jobs;
    uint64_t memory_limit;    /* bytes; 0: no limit */
    double seconds;           /* 0: no limit */
    const volatile int *stop; /* Ctrl-C; may be null */
    void (*progress)(void *context, uint64_t pairs, uint64_t frontier, double seconds);
    void *progress_context;
};

enum refine_reason {
    REFINE_NO_EXPLANATION, /* the history is not (quasi) linearizable */
    REFINE_MODEL_FAULT,    /* the model asserts something that fails, or leaves an array */
    REFINE_DEADLOCK,
    REFINE_BAD_ANSWER, /* an answer that no operation of the specification gives */
    REFINE_BAD_ORDER,  /* a call while an operation is open, or a return of one that is not */
};

/* A step of the counterexample, with values named uniquely through the whole run. */
struct refine_event {
    struct refine_step step;
    int32_t args[REFINE_ARGS_MAX]; /* CALL */
    uint8_t *state;                /* after it */
};

struct refine_result {
    enum verdict verdict;
    enum refine_reason reason;
    char limit[160];                     /* INCONCLUSIVE: what was met, as a phrase */
    VEC(struct refine_event) run;        /* VIOLATED */
    uint64_t pairs, states, transitions; /* pairs of state and set met; states of the system; steps taken */
    uint64_t peak_bytes;
    double seconds;
    /* VIOLATED: there may be a run with fewer steps; the search for it met a limit */
    bool is_longer;
    bool by_points;     /* HOLDS: proved by the model's linearization points */
    bool full_was_free; /* an addition answered "full" and `full` is ANY: named with the verdict */
};

/* False: the question makes no sense (an operation that the specification lacks, ...), the diagnostic says why. */
bool refine_check(const struct refine_system *s, const struct refine_settings *settings,
                  struct refine_result *r, struct diagnostic *d);
void refine_result_free(struct refine_result *r);

/* What a model's numbers mean to the specification's operation. */
plumb_value refine_answer(struct plumb_values *values, const struct plumb_operation *op, int32_t value);
plumb_value refine_argument(struct plumb_values *values, const int32_t *args, unsigned count);

/* The counterexample's calls and returns, not bound yet; stamps are positions in the run from 1. If `full_is_free`, additions
 * that answered "full" are left out: they say nothing. */
struct history *refine_history(const struct refine_system *s, const struct refine_result *r,
                               const struct plumb_spec *spec, bool full_is_free);

/* Standard trace refinement: is every sequence of calls and returns of one system also one of another? The paper's
 * algorithm 1, with the specification made deterministic on the fly. */

/* Uses of the settings: free_values, jobs, memory_limit, seconds, stop, progress, plain. */
bool refine_trace(const struct refine_system *impl, const struct refine_system *spec,
                  const struct refine_settings *settings, struct refine_result *r, struct diagnostic *d);

#endif
