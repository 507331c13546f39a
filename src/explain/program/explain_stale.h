/* SPDX-License-Identifier: Apache-2.0 */
/* What is odd in an execution of a weak memory model, in words: reads of something else than the newest write, and writes
 * that are not the last of their location. All of it is known only of replayed graphs; else there is nothing to tell. */
#ifndef EXPLAIN_EXPLAIN_STALE_H
#define EXPLAIN_EXPLAIN_STALE_H

#include "target/symbols/symbols.h"

/* The relation of event k, or null. */
const struct worker_relation *explain_relation(const struct worker_shared *s, uint32_t k);

/* "acquire"; of plain accesses "plain". */
const char *explain_order_word(unsigned order);

/* How many events are stale. */
uint32_t explain_stale_count(const struct worker_shared *s);

/* Adds the note for the row of event k, such as "stale: step 12 wrote 1". False: there is none. */
bool explain_stale_note(const struct worker_shared *s, struct symbols *symbols, uint32_t k, struct text *out);

/* Adds why the model allows what is stale: a paragraph for each of the first few, without line breaks, each ended by
 * '\n'. */
void explain_stale_explain(const struct worker_shared *s, struct symbols *symbols, struct text *out);

#endif
