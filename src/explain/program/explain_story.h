/* SPDX-License-Identifier: Apache-2.0 */
/* Sentences about the steps of an execution, and which steps they cite: those are shown in any case. */
#ifndef EXPLAIN_EXPLAIN_STORY_H
#define EXPLAIN_EXPLAIN_STORY_H

#include "base/text.h"
#include "base/vec.h"
#include "engine/shared/protocol.h"
#include "target/symbols/symbols.h"

struct story {
    const struct worker_shared *shared;
    struct symbols *symbols;
    struct text text;
    VEC(uint32_t) cited; /* numbers of steps */
};

/* Adds to the text: %k is an event by its position, as the number of its step; %l the location of an event, %p its place in the source
 * ("queue.c:12"); %u a number, %s a text. */
void story_say(struct story *s, const char *format, ...);

/* The step has to be shown. */
void story_cite(struct story *s, uint32_t step);

void story_free(struct story *s);

#endif
