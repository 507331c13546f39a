/* SPDX-License-Identifier: Apache-2.0 */
/* A round in which every open call waits forever: may it? (Line-Up's stuck histories.) */
#ifndef STRESS_STUCK_H
#define STRESS_STUCK_H

#include "stress/stress_judge.h"

/* Holds: for each open call there is an order of all completed ones, which agrees with time and the specification, after which it
 * waits. Violated: some open call need not wait, or has no specification, or there is none. Inconclusive: not decided. */
enum verdict stress_may_be_stuck(const struct stress_log *log, const struct stress_question *q);

#endif
