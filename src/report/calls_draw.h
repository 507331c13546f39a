/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that contradict a specification with ordering points, on a terminal: the condition and its values, the legal order with the
 * state after each call; the two calls of a rule of synchronization, with the arrow that is missing between them. */
#ifndef REPORT_CALLS_DRAW_H
#define REPORT_CALLS_DRAW_H

#include "report/counterexample.h"

void calls_draw(struct text *out, const struct report_calls *c, const struct report_style *style);

#endif
