/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that contradict a specification in comments, or a rule of synchronization: from what the worker found to what reports
 * show. */
#ifndef EXPLAIN_EXPLAIN_CALLS_H
#define EXPLAIN_EXPLAIN_CALLS_H

#include "base/memory.h"
#include "engine/shared/protocol.h"
#include "explain/program/explain_story.h"
#include "report/counterexample.h"

/* Is the error about calls, and are they known? */
bool explain_calls_are_known(const struct worker_shared *s);

/* The PL number of such an error. */
int explain_calls_code(uint32_t kind);

/* Fills in x->calls, the place of the error and its file; the events have to be there. */
void explain_calls_collect(const struct worker_shared *s, struct symbols *symbols, struct arena *arena,
                           struct report_execution *x);

/* Adds "enq(1) does not happen before deq() = 1". */
void explain_calls_headline(const struct worker_shared *s, struct symbols *symbols, struct text *out);

/* Adds text in which pointers are numbers, with names instead: "lock(&node)" for "lock(0x555555559040)". */
void explain_name_pointers(struct symbols *symbols, const char *s, size_t length, struct text *out);

/* The first event of a call's own thread in it, from 1; 0: it has none. */
uint32_t explain_calls_first_event(const struct worker_shared *s, uint32_t call);

/* Adds the note beside event k: a call that begins there, what the access would have to be. False: nothing. */
bool explain_calls_note(struct story *t, uint32_t k);

/* Adds what the two accesses lack, as a paragraph ended by '\n'; nothing if there are none. */
void explain_calls_remark(const struct report_execution *x, struct story *t);

#endif
