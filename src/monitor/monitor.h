/* SPDX-License-Identifier: Apache-2.0 */
/* Decides a recorded history: the main header of this folder. */
#ifndef MONITOR_MONITOR_H
#define MONITOR_MONITOR_H

#include <plumb/spec.h>

#include "base/budget.h"
#include "base/text.h"
#include "base/verdict.h"
#include "history/history.h"

/* One step of the longest legal order. */
struct monitor_step {
    uint32_t op; /* index into the history */
    char *state; /* printed state after it */
};

typedef VEC(struct monitor_step) monitor_steps;
typedef VEC(plumb_value) monitor_answers;

/* An order that goes well as far as it goes, and the operation that cannot follow. */
struct monitor_attempt {
    monitor_steps legal;
    uint32_t stuck_op;
    char *stuck_why; /* what the specification would answer instead */
    /* The same as values: a few of those that are possible; none: there it cannot return */
    monitor_answers expected;
};

/* Why one object is not linearizable. Operations are indices into the history. */
struct monitor_violation {
    uint32_t object;
    plumb_value key;    /* of all operations of the core; PLUMB_OK: there is no such key */
    VEC(uint32_t) core; /* ascending by call; minimal (docs/internals/monitor/cores.md) */
    /* Per operation of the core: returned after the violation was certain, so that it may have happened by
     * then, or not */
    VEC(uint8_t) optional;
    /* Not in the core: not returned by then, and with or without them nothing is legal */
    VEC(uint32_t) left_out;
    char *initial_state; /* printed state the core starts from */
    /* Operations before the core, all of whose legal orders lead to that state; 0: the core starts from the
     * specification's own initial state */
    uint32_t earlier;
    char *why;                           /* the sentence */
    uint32_t guilty;                     /* the operation whose answer is impossible */
    monitor_steps legal;                 /* longest legal order of the core */
    uint32_t stuck_op;                   /* the operation that cannot follow, or UINT32_MAX */
    char *stuck_why;                     /* what the specification would answer instead */
    monitor_answers expected;            /* as in monitor_attempt */
    VEC(struct monitor_attempt) others;  /* the next longest legal orders: a few */
    bool attempts_are_all;               /* every order fails as the longest or as one of these does */
    VEC(uint32_t) untimely;              /* an order that agrees with all but time, or empty: */
    uint32_t too_early, too_late;        /* the second had returned before the first was called */
    const char *found_by, *confirmed_by; /* names of the two routes */
    bool excerpt; /* the core only shows what `why` talks about: alone it may be legal */
    bool minimal; /* false: the core was too large to try every deletion */
};

/* A legal order of an object's operations, or of those on one key. */
struct monitor_witness {
    uint32_t object;
    VEC(uint32_t) order; /* indices into the history */
};

struct monitor_result {
    enum verdict verdict;
    char *limit;                         /* inconclusive: which limit was met and where; else null */
    struct monitor_violation *violation; /* violated: the first one; else null */
    uint64_t operations;                 /* judged */
    uint32_t objects;
    VEC(struct monitor_witness) witnesses; /* when asked for: the orders that were certified */
    bool beyond_factors;                   /* violated, quasi linearizability: with any factor */
    struct text log; /* -v: a line per object and way of deciding it: which algorithm and why */
    double seconds_deciding, seconds_certifying;
};

/* Does things in other processes: for all k below `count`, answers[k] becomes ask(argument, k), or 0 when that process ended
 * early. */
typedef uint8_t monitor_ask(void *argument, uint32_t k);
struct monitor_helpers {
    void (*run)(const struct monitor_helpers *h, uint32_t count, monitor_ask *ask, void *argument,
                uint8_t *answers);
    uint32_t jobs; /* how many at once */
};

struct monitor_settings {
    const struct plumb_spec_options *options;
    const struct plumb_spec *const *specs; /* one per object of the history */
    struct budget *budget;
    const struct monitor_helpers
        *helpers; /* null: parts are decided one after the other. The result is the same */
    bool keep_witnesses;
    bool only_general; /* tests: never use the fast algorithms */
};

/* Decides a bound history (spec_bind). False: *d says what is wrong with the input (two open operations...). */
bool monitor_history(const struct history *h, const struct monitor_settings *settings,
                     struct monitor_result *out, struct diagnostic *d);

/* Relaxed specifications (spec/quasi/spec_quasi.h): the history needs at least this factor, whatever the one they have. */
uint32_t monitor_quasi_least(const struct history *h, const struct monitor_settings *settings);

void monitor_result_free(struct monitor_result *r);

/* Where a history ceases to be linearizable. */
struct monitor_moment {
    uint32_t guilty; /* the operation whose return made the history illegal (index into it) */
    /* The operation of the last event before that; UINT32_MAX: there is none */
    uint32_t last;
    bool last_is_return; /* that event was its return; else its call */
    /* No longer part of the history is legal; else not all of them were tried */
    bool certain;
};

/* Finds the last event up to which the bound history `h`, which is violated, is legal, with operations that have not
 * returned by then as pending. False: a limit was met on the way. */
bool monitor_earliest(const struct history *h, const struct monitor_settings *settings,
                      struct monitor_moment *out);

#endif
