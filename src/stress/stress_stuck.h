/* SPDX-License-Identifier: Apache-2.0 */
/* A round in which every open call waits forever: may it? (Line-Up's stuck histories.) */
#ifndef STRESS_STUCK_H
#define STRESS_STUCK_H

#include "stress/stress_judge.h"

/* Holds: for each open call there is an order of all completed ones, which agrees with time and the specification, after which it
 * waits. Violated: some open call need not wait, or there is none. Inconclusive: not decided, or no specification says it. */
enum verdict stress_may_be_stuck(const struct stress_log *log, const struct stress_question *q);

/* The name of an open one of an object without specification, or null. */
const char *stress_open_without_spec(const struct stress_log *log, const struct stress_harness *h);

#endif
