/* SPDX-License-Identifier: Apache-2.0 */
/* The events of a trace, as they are shown. */
#ifndef EXPLAIN_EXPLAIN_EVENTS_H
#define EXPLAIN_EXPLAIN_EVENTS_H

#include "base/memory.h"
#include "explain/program/explain_story.h"
#include "explain/program/explain_test.h"
#include "report/counterexample.h"
#include "target/symbols/symbols.h"

struct explain_marks;

/* Is the event shown to readers? */
bool explain_events_is_shown(const struct worker_shared *s, uint32_t k);

/* The number of the event at position k: of a long execution the middle is missing. */
uint32_t explain_events_step(const struct worker_shared *s, uint32_t k);

/* The place of the event that is shown; 0: none. */
uint64_t explain_events_place(const struct worker_shared *s, struct symbols *symbols, uint32_t k);

/* Memory that the event got, or the variable on a stack that it accessed, has its name from now on. */
void explain_events_memory(const struct worker_shared *s, struct symbols *symbols, uint32_t k);

/* Adds the value that access k wrote, or else found. */
void explain_events_value(const struct worker_shared *s, struct symbols *symbols, uint32_t k, bool written,
                          struct text *out);
/* What event w wrote where event k looks, which may be a part of it. */
void explain_events_written(const struct worker_shared *s, struct symbols *symbols, uint32_t w, uint32_t k,
                            struct text *out);

/* The operation of the test that a call or a return is of, "push(1)". */
void explain_events_operation(const struct worker_shared *s, const struct event *e, struct text *out);

/* Adds what is to be noted beside the event: "race with step 12". False: nothing. */
bool explain_events_note(struct story *t, const struct explain_marks *marks, uint32_t k);

/* Fills in the events of x and what belongs to them; everything lives in the arena. Of very many those in the
 * middle are left out, but for those that the error is about. `test`: the operations that they belong to. What notes cite is added to `t`. */
void explain_events_collect(struct story *t, const struct explain_test *test, struct arena *arena,
                            struct report_execution *x);

/* ------------------------------------------------------------------ which steps the error is about */

enum { MARK_NONE = UINT32_MAX };

/* Positions in `events`, or MARK_NONE. */
struct explain_marks {
    uint32_t first; /* race: the earlier one of the two accesses */
    uint32_t last;  /* race: the later one; else the access that went wrong */
    uint32_t freed; /* where the memory was freed */
};

struct explain_marks explain_marks_find(const struct worker_shared *shared);

/* ------------------------------------------------------------------ what is odd under a weak memory model */

/* Reads of something else than the newest write, and writes that are not the last of their location. All of
 * it is known only of replayed graphs. */

/* The relation of event k, or null. */
const struct worker_relation *explain_relation(const struct worker_shared *s, uint32_t k);

/* "acquire"; of plain accesses "plain". */
const char *explain_order_word(unsigned order);

/* How many events are stale. */
uint32_t explain_stale_count(const struct worker_shared *s);

/* Adds the note for the row of event k, such as "stale: step 12 wrote 1". False: there is none. */
bool explain_stale_note(struct story *t, uint32_t k);

/* Adds why the model allows what is stale: a paragraph for each of the first few, without line breaks, each
 * ended by '\n'. */
void explain_stale_explain(struct story *t);

/* ------------------------------------------------------------------ what others did since */

/* Adds "overwrites what step 9 wrote; T2 last read sum in step 6, before that" beside a write, or beside an exchange that it found what it expected, which others have
 * written again. False: nothing. */
bool explain_changes_note(struct story *t, uint32_t k);

/* Of a history that is not linearizable, and of an assertion that failed, where no step has a note: adds "T1 read taken = 0 in step 12;
 * step 18 of T2 changed it to 1 before T1 went on in step 27.", ended by '\n', of the last read in the guilty operation (or in that of the
 * assertion) of which this is so. */
void explain_changes_remark(struct story *t, const struct explain_test *test,
                            const struct report_execution *x);

/* ------------------------------------------------------------------ races */

/* Why nothing orders the two accesses of a race: the steps that came nearest to it, and what they lack. Adds
 * a paragraph without line breaks, ended by '\n'; nothing when the error is no race, or its steps were not
 * kept. */
void explain_unordered(struct story *story);

#endif
