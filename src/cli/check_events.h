/* SPDX-License-Identifier: Apache-2.0 */
/* The events of a trace, as they are told. */
#ifndef CLI_CHECK_EVENTS_H
#define CLI_CHECK_EVENTS_H

#include "base/memory.h"
#include "cli/check_marks.h"
#include "report/counterexample.h"
#include "target/symbols/symbols.h"

/* Is the event shown to readers? */
bool check_events_is_shown(const struct worker_shared *s, uint32_t k);

/* The number of the event at position k: of a long execution the middle is missing. */
uint32_t check_events_step(const struct worker_shared *s, uint32_t k);

/* The operation of the test that a call or a return is of, "push(1)". */
void check_events_operation(const struct worker_shared *s, const struct event *e, struct text *out);

/* Adds what is to be noted beside the event: "race with step 12". False: nothing. */
bool check_events_note(const struct worker_shared *s, struct symbols *symbols,
                       const struct check_marks *marks, uint32_t k, struct text *out);

/* Fills in the events of x and what belongs to them; everything lives in the arena. Of very many those in the middle are
 * left out. */
void check_events_collect(const struct worker_shared *s, struct symbols *symbols, struct arena *arena,
                          struct report_execution *x);

#endif
