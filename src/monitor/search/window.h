/* SPDX-License-Identifier: Apache-2.0 */
/* Long violated histories, cut at quiet moments (nothing open): the set of possible states is carried from
 * cut to cut, each stretch crossed by one of the two search procedures. Confirms violations that are too long for the
 * depth-first one in one piece, and finds a late moment at which the state is certain, from which a
 * short story can start. */
#ifndef MONITOR_WINDOW_H
#define MONITOR_WINDOW_H

#include "monitor/search/search.h"

struct window {
    struct part part; /* the operations from that moment on; free with window_free */
    void *state;      /* the only possible state there; null: the beginning */
    uint32_t earlier; /* operations before it */
};

/* VIOLATED: no state survives; *w is then the window. HOLDS: some state does. LIMIT: the budget is spent. */
enum verdict window_find(const struct part *p, final_states *cross, struct budget *budget, struct window *w);
void window_free(struct window *w);

#endif
