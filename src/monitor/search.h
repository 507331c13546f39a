/* SPDX-License-Identifier: Apache-2.0 */
/* The general search: decides any history against any specification.
 * Exponential in the number of operations that are open at the same time,
 * linear in the length otherwise. */
#ifndef MONITOR_SEARCH_H
#define MONITOR_SEARCH_H

#include "monitor/part.h"

/* Decides `p`, within the budget. HOLDS fills the witness. VIOLATED fills legal_events (the events
 * before the return that no order survives) and puts into core every operation called before that
 * return. `initial`: start from this state instead of the specification's (not consumed; may be null). */
enum answer search_decide(const struct part *p, const void *initial, struct budget *budget,
                          struct decision *d);

/* Longest legal order, for explanations: an order of operations of `p` that is legal and respects
 * precedence as far as it goes, chosen to contain as many completed operations as possible before
 * it gets stuck. Small parts only. */
void search_longest(const struct part *p, const void *initial, struct budget *budget, struct decision *d);

/* A second, independent decision procedure (depth first over operations, after Wing, Gong and
 * Lowe), used to confirm violations. Same contract as search_decide; fills only the answer. */
enum answer confirm_decide(const struct part *p, const void *initial, struct budget *budget);

/* Both procedures, run to exhaustion on a part without pending operations: add every state in which a complete legal
 * order can end to `finals` (no two equal; the caller destroys them). False: the budget is spent and the list may
 * lack some. */
struct state_list {
    void **data;
    size_t len, cap;
};

typedef bool final_states(const struct part *p, const void *initial, struct budget *budget,
                          struct state_list *finals);
final_states search_final_states, confirm_final_states;

#endif
