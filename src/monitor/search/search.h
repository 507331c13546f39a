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
enum verdict search_decide(const struct part *p, const void *initial, struct budget *budget,
                           struct decision *d);

/* So many operations never returned that search_decide may not come back. */
bool search_has_many_pending(const struct part *p);

/* The same as search_decide for such parts, with an effort that does not depend on their number; NONE: that was not
 * enough. */
enum verdict search_estimate(const struct part *p, const void *initial, struct budget *budget,
                             struct decision *d);

/* Longest legal order, for explanations: an order of operations of `p` that is legal and respects
 * precedence as far as it goes, chosen to contain as many completed operations as possible before
 * it gets stuck. Small parts only. */
void search_longest(const struct part *p, const void *initial, struct budget *budget, struct decision *d);

/* Why there is no legal order of all operations of `p`, a small part: in each of `list` an order goes well as far as it
 * goes, and then `refused` has an answer that the specification does not give. The longest come first, at most `most`. */
typedef VEC(uint32_t) search_order; /* part indices */

struct search_attempt {
    search_order order;
    uint32_t refused;
};

struct search_attempts {
    VEC(struct search_attempt) list;
    bool are_all; /* every order fails in one of these ways */
    search_order
        untimely; /* agrees with all answers and with the order of each thread, but not with time; or empty: */
    uint32_t too_early, too_late; /* the second returned before the first was called */
};

void search_attempts(const struct part *p, const void *initial, struct budget *budget, uint32_t most,
                     struct search_attempts *out);
void search_attempts_free(struct search_attempts *a);

/* A second, independent decision procedure (depth first over operations, after Wing, Gong and
 * Lowe), used to confirm violations. Same contract as search_decide; fills only the answer. */
enum verdict confirm_decide(const struct part *p, const void *initial, struct budget *budget);

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
