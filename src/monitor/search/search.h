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
    /* Agrees with all answers and with the order of each thread, but not with time; or empty: */
    search_order untimely;
    uint32_t too_early, too_late; /* the second returned before the first was called */
};

void search_attempts(const struct part *p, const void *initial, struct budget *budget, uint32_t most,
                     struct search_attempts *out);
void search_attempts_free(struct search_attempts *a);

/* A second, independent decision procedure (depth first over operations, after Wing, Gong and
 * Lowe), used to confirm violations. Same contract as search_decide; fills only the answer. */
enum verdict confirm_decide(const struct part *p, const void *initial, struct budget *budget);

/* The same procedure on the hunt for a legal order: there operations without effect act as soon as they fit. HOLDS: it is
 * in the witness. NONE: there is no more to be tried. INCONCLUSIVE: the budget is spent, or `patience` steps (0: any number) did not bring
 * it further; it goes on with another budget, which has no ticks yet and has been charged for as many bytes as this one. */
struct confirm;
struct confirm *hunt_start(const struct part *p, const void *initial, struct budget *budget);
enum verdict hunt_go_on(struct confirm *c, struct budget *budget, uint64_t patience, struct decision *d);
size_t hunt_bytes(const struct confirm *c);
void hunt_end(struct confirm *c, struct budget *budget);

/* Both procedures, run to exhaustion on a part without pending operations: add every state in which a complete legal
 * order can end to `finals` (no two equal; the caller destroys them). False: the budget is spent and the list may
 * lack some. */
struct state_list {
    void **data;
    size_t len, cap;
};

void state_list_free(const struct plumb_spec *spec, struct state_list *list);

typedef bool final_states(const struct part *p, const void *initial, struct budget *budget,
                          struct state_list *finals);
final_states search_final_states, confirm_final_states;

/* search_decide that always leaves a legal order in the witness: when the part is not linearizable one for
 * the events before the failing return, when the budget is spent one for some beginning. */
enum verdict search_prefix(const struct part *p, const void *initial, struct budget *budget,
                           struct decision *d);

/* The same for parts with many pending operations of which only the last return is impossible: a legal order up to
 * there. False: none was found, and the witness is empty. */
bool search_prefix_quickly(const struct part *p, const void *initial, struct budget *budget,
                           struct decision *d);

/* Long violated histories, cut at quiet moments (nothing open): the set of possible states is carried from
 * cut to cut, each stretch crossed by one of the two search procedures. Confirms violations that are too long for the
 * depth-first one in one piece, and finds a late moment at which the state is certain, from which a
 * short story can start. */
struct window {
    struct part part; /* the operations from that moment on; free with window_free */
    void *state;      /* the only possible state there; null: the beginning */
    uint32_t earlier; /* operations before it */
};

/* VIOLATED: no state survives; *w is then the window. HOLDS: some state does. LIMIT: the budget is spent. */
enum verdict window_find(const struct part *p, final_states *cross, struct budget *budget, struct window *w);
void window_free(struct window *w);

/* How the general search goes about it. All zero: exactly. */
struct search_way {
    bool keep_prefix;          /* as search_prefix does */
    struct state_list *finals; /* not null: gets the states of the last level */
    /* Pending operations may act as often as they like: only a violation counts */
    bool unlimited;
    /* Keep only so many nodes of a level; 0: all. A legal order counts; when none is left after some were
     * dropped, the answer is NONE */
    size_t beam;
};

enum verdict search_run(const struct part *p, const void *initial, struct budget *budget, struct decision *d,
                        const struct search_way *way);

#endif
