/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlocks: which thread waits for what, who has it since when, and which wake-up came too early. */
#ifndef EXPLAIN_EXPLAIN_WAITS_H
#define EXPLAIN_EXPLAIN_WAITS_H

#include "base/memory.h"
#include "explain/program/explain_story.h"
#include "report/counterexample.h"

/* Adds ": T1 waits for a, which T2 holds since step 8 (queue.c:16); T2 ..."; nothing if the error is no deadlock. */
void explain_waits(struct story *t);

/* The same as a list: what the sentence begins with, and what each of the threads waits for. */
void explain_waits_list(struct story *t, struct arena *arena, struct report_execution *x);

/* Adds "push is not non-blocking: if T2 stops at stack.c:41, T1 repeats stack.c:38 forever", for an error of that kind. */
void explain_stop(struct story *t);

/* Adds a paragraph, ended by '\n', for each thread that was never woken: which signals there were. */
void explain_waits_signals(struct story *t);

#endif
