/* SPDX-License-Identifier: Apache-2.0 */
/* Refinement by brute force: every history of a system up to a number of calls and returns, each judged by the definition
 * of quasi linearizability (oracle/quasi_oracle.h). Shares nothing with the checker but the interface of systems. */
#ifndef TESTS_ORACLE_REFINE_ORACLE_H
#define TESTS_ORACLE_REFINE_ORACLE_H

#include "refine/system.h"

enum refine_oracle_full { ORACLE_FULL_ANY, ORACLE_FULL_CAPACITY, ORACLE_FULL_BLOCK };

struct refine_oracle_question {
    const struct refine_system *system;
    const char *spec;  /* queue, stack, pqueue, set, register, counter */
    const char *quasi; /* operations with their factors, deq=2,enq=1; null: none */
    uint32_t capacity; /* 0: unbounded */
    enum refine_oracle_full full;
    bool complete;        /* nothing is appended: reading C */
    uint32_t free_values; /* 0: every argument is a number of its own */
    uint32_t events;      /* calls and returns of the longest history; at most REFINE_ORACLE_EVENTS */
    uint64_t most;        /* histories until it gives up; 0: no limit */
};

enum { REFINE_ORACLE_EVENTS = 24 };

struct refine_oracle_answer {
    bool violated;
    bool gave_up;    /* there may be more */
    uint32_t events; /* calls and returns of a shortest wrong history */
    uint32_t steps;  /* steps of a shortest run that has a wrong history, or of one to a fault of the model */
    uint64_t histories;
};

struct refine_oracle_answer refine_oracle(const struct refine_oracle_question *q);

/* One history: is it explained? Events as a system takes them; `args` has the arguments of calls. */
struct refine_oracle_event {
    struct refine_step step;
    int32_t args[REFINE_ARGS_MAX];
};
bool refine_oracle_explains(const struct refine_oracle_question *q, const struct refine_oracle_event *events,
                            uint32_t count);

#endif
