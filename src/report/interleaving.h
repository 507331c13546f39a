/* SPDX-License-Identifier: Apache-2.0 */
/* An execution as a table: a row per step, a column per thread, the source line at the right.
 *
 * The reader wants to see what happens where threads take turns. A long execution is shown around its
 * switches, its guilty step and its notes; what lies between is counted. Rounds of a loop that are equal in
 * everything shown become one. */
#ifndef REPORT_INTERLEAVING_H
#define REPORT_INTERLEAVING_H

#include "graph/event.h"
#include "report/counterexample.h"

struct interleaving {
    const struct report_event *events;
    size_t count;
    size_t lines_most; /* 0: forty */
};

/* Adds nothing when there are no rows. */
void interleaving_draw(struct text *out, const struct interleaving *x, const struct report_style *style);

#endif
