/* SPDX-License-Identifier: Apache-2.0 */
/* The events of a trace, as they are shown. */
#ifndef EXPLAIN_EXPLAIN_EVENTS_H
#define EXPLAIN_EXPLAIN_EVENTS_H

#include "base/memory.h"
#include "explain/program/explain_marks.h"
#include "explain/program/explain_test.h"
#include "report/counterexample.h"
#include "target/symbols/symbols.h"

/* Is the event shown to readers? */
bool explain_events_is_shown(const struct worker_shared *s, uint32_t k);

/* The number of the event at position k: of a long execution the middle is missing. */
uint32_t explain_events_step(const struct worker_shared *s, uint32_t k);

/* The operation of the test that a call or a return is of, "push(1)". */
void explain_events_operation(const struct worker_shared *s, const struct event *e, struct text *out);

/* Adds what is to be noted beside the event: "race with step 12". False: nothing. */
bool explain_events_note(const struct worker_shared *s, struct symbols *symbols,
                         const struct explain_marks *marks, uint32_t k, struct text *out);

/* Fills in the events of x and what belongs to them; everything lives in the arena. Of very many those in the middle are
 * left out, but for those that the error is about. `test`: the operations that they belong to. */
void explain_events_collect(const struct worker_shared *s, struct symbols *symbols,
                            const struct explain_test *test, struct arena *arena, struct report_execution *x);

#endif
