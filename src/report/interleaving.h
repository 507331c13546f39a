/* SPDX-License-Identifier: Apache-2.0 */
/* An execution as a table: a row per step, a column per thread, the source line at the right.
 *
 * The reader wants to see what happens where threads take turns. Of a long execution calls, returns, guilty steps, what the
 * text cites and where it was read from are shown in any case, then what is around them and around switches; what lies between is counted. Rounds of a
 * loop that are equal in everything shown become one. */
#ifndef REPORT_INTERLEAVING_H
#define REPORT_INTERLEAVING_H

#include "graph/event.h"
#include "report/counterexample.h"

struct interleaving {
    const struct report_event *events;
    size_t count;
    const uint32_t *cited; /* ids of events that notes and other sentences are about */
    size_t cited_count;
    size_t lines_most; /* of those that could be left out; 0: 72 */
    bool is_full;      /* nothing is left out but equal rounds of loops */
    uint32_t around;   /* only the steps around that one, all of them; 0: not so */
};

/* Adds nothing when there are no rows. */
void interleaving_draw(struct text *out, const struct interleaving *x, const struct report_style *style);

#endif
