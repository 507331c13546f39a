/* SPDX-License-Identifier: Apache-2.0 */
/* The histories that an execution in one order of time can show: every order of its calls and returns that agrees with
 * it, those that differ only in the order of calls among each other, or of returns, once. The judge itself never needs
 * them; they are for tables that count histories. */
#ifndef JUDGE_JUDGE_HISTORIES_H
#define JUDGE_JUDGE_HISTORIES_H

#include "judge/judge.h"

/* A history is a number of rounds, from 1: in each, operations are called, then operations return. */
struct judge_rounds {
    uint8_t called[JUDGE_OPS_MAX], returned[JUDGE_OPS_MAX]; /* 0: never */
};

/* Calls `visit` once for each history; it returns false to stop. `x` must be timed. */
void judge_each_history(const struct judge_execution *x,
                        bool (*visit)(void *context, const struct judge_rounds *rounds), void *context);

/* The execution that is just this history of `x`: nothing can be ordered further. */
void judge_as_history(const struct judge_execution *x, const struct judge_rounds *rounds,
                      struct judge_execution *history);

/* In how many orders its completed operations can be put that agree with time; UINT64_MAX: more than that. */
uint64_t judge_count_orders(const struct judge_execution *history);

#endif
