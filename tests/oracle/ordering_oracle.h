/* SPDX-License-Identifier: Apache-2.0 */
/* The order of calls by the rules of the paper, with matrices: happens-before is the closure of sequenced-before and
 * synchronizes-with, points are related by rf and mo, and every permutation of calls is tried. Slow on purpose: no keys, no clocks, no memo. */
#ifndef TESTS_ORACLE_ORDERING_ORACLE_H
#define TESTS_ORACLE_ORDERING_ORACLE_H

#include "graph/graph.h"
#include "ordering/ordering.h"
#include "ordering/ordering_points.h"

enum { CASE_CALLS = 7, CASE_POINTS = 3, CASE_RULES = 3, CASE_EVENTS = 128 - 2 * CASE_CALLS };

struct case_call {
    struct ordering_span span; /* of a call without result: as if it had ended when its thread did */
    uint32_t interface, object;
    uint64_t id, conditions;
    bool completed;
    uint32_t events[CASE_POINTS]; /* its points */
    uint32_t event_count;
};

struct ordering_case {
    const struct graph *g;
    uint32_t count;
    struct case_call calls[CASE_CALLS];
    struct ordering_rule rules[CASE_RULES];
    uint32_t rule_count;
    const struct ordering_machine *machine; /* the state is reset, never saved or restored */
};

/* An order of calls that fails. */
struct failing_order {
    bool exists;
    uint32_t order[CASE_CALLS], length; /* legal */
    uint32_t failed;
    bool failed_pre;
};

struct ordering_expected {
    uint64_t happens_before[CASE_CALLS]; /* begin to end */
    /* Nodes are numbered by their first calls; CASE_CALLS: left out */
    uint32_t node_count, node_of[CASE_CALLS];
    bool edge[CASE_CALLS][CASE_CALLS], closure[CASE_CALLS][CASE_CALLS];
    uint32_t cycle_length; /* 0: none */
    bool legal;            /* some order is */
    uint32_t legal_order[CASE_CALLS], legal_length;
    struct failing_order longest, first;
    bool broken; /* a rule, not regarding conditions */
    uint32_t rule, earlier, later;
};

/* Nodes, edges, happens-before, cycles. */
void ordering_oracle_relate(const struct ordering_case *c, struct ordering_expected *x);
/* Then: histories and rules. */
void ordering_oracle_judge(const struct ordering_case *c, struct ordering_expected *x);

/* Runs a node in the state that there is. False: a condition fails. */
bool ordering_oracle_run(const struct ordering_case *c, const struct ordering_expected *x, uint32_t node,
                         uint32_t *failed, bool *failed_pre);

/* Are there two orders, one legal and one not, that differ in that these neighbouring nodes are exchanged? */
bool ordering_oracle_matters(const struct ordering_case *c, const struct ordering_expected *x, uint32_t a,
                             uint32_t b);

/* X before Y by one of the five rules? Either half of an update stands for it. */
bool ordering_oracle_points(const struct graph *g, uint32_t x, uint32_t y);

#endif
