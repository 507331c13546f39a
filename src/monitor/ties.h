/* SPDX-License-Identifier: Apache-2.0 */
/* Histories in which several threads return and call again at one and the same stamp. Their precedences are
 * no order of events (order.h), so the fast algorithms and the split by keys decide only a neighbour of
 * the question: with the ranks as they are, program order at the tie is forgotten (a violation is one);
 * with tightened ranks there are more precedences than stamps say (a legal order is one). */
#ifndef MONITOR_TIES_H
#define MONITOR_TIES_H

#include "monitor/part.h"

/* The part with the events of each stamp reordered so that all of program order stands. Free with part_free. */
struct part ties_tighten(const struct part *p);

/* The part without `after`: program order at ties is forgotten. Shares the arrays of `p`; not to be freed. */
struct part ties_forget(const struct part *p);

#endif
