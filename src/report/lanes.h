/* SPDX-License-Identifier: Apache-2.0 */
/* The history as lanes: a row per thread, a bar per operation.
 *
 * Time is warped: neighbouring calls (and neighbouring returns) of the events in time order share a
 * column, and columns stand as far apart as the labels need. A bar ends left of another exactly when its
 * operation returned before the other was called; bars of overlapping operations share columns. */
#ifndef REPORT_LANES_H
#define REPORT_LANES_H

#include "report/counterexample.h"

/* Draws the operations, at most sixteen rows: around the guilty one if there are too many. */
void lanes_draw(struct text *out, const struct report_counterexample *c, const struct report_style *style);

#endif
