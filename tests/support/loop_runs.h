/* SPDX-License-Identifier: Apache-2.0 */
/* Runs small programs with loops behind the explorer of graphs, with the live states of their threads. */
#ifndef TESTS_LOOP_RUNS_H
#define TESTS_LOOP_RUNS_H

#include "oracle/loop_program.h"

#include "explore/graphs.h"

/* Mistakes that the runner makes on purpose. */
enum loop_mistake { LOOP_NO_MISTAKE, LOOP_FORGETS_COUNTERS, LOOP_FORGETS_MEMORY, LOOP_ALWAYS_PATIENT };

struct loop_way {
    const struct memory_model *model;
    uint32_t returns;    /* as in struct graphs_settings */
    bool all_matters;    /* states are compared as a whole, and private memory that is written is a change */
    uint32_t rounds;     /* 0: any number; else no thread goes round more often, and no rule is used */
    uint64_t steps_most; /* that are added to graphs, in all executions together */
    uint64_t seed;       /* for the order of threads */
    bool shares;         /* explorers give work to others */
    /* A thread stops forever in each execution, after less than so many events that others can observe, by number; null: none does */
    const uint16_t *stops;
    enum loop_mistake mistake;
};

struct loop_result {
    struct loop_outcomes outcomes;
    bool ended; /* within steps_most, or when no certificate was found */
    uint64_t steps, executions;
    struct graphs_counts counts;
    const char *trouble; /* null: none */
    uint64_t
        got_out; /* recorded executions with stuck threads, broken off earlier, from where none was stuck */
    unsigned blocked; /* bits of threads, from 0: while one of them had stopped, others were stuck */
};

void loop_run(const struct loop_program *p, const struct loop_way *way, struct loop_result *out);

#endif
