/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of memory: what was accessed, and where the thread had the pointer from. */
#ifndef EXPLAIN_EXPLAIN_MEMORY_H
#define EXPLAIN_EXPLAIN_MEMORY_H

#include "explain/program/explain_story.h"

/* Is the error an access to a block of the heap, freed or never written? */
bool explain_memory_is_known(const struct worker_shared *s);

/* Adds ": node#1.next", and where a block that was never written is from; nothing of other errors. */
void explain_memory(struct story *t);

/* Adds a paragraph, ended by '\n': which step found the pointer. */
void explain_memory_pointer(struct story *t);

#endif
