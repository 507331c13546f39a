/* SPDX-License-Identifier: Apache-2.0 */
/* States that threads with many events were in. To look for one takes as long as the thread is, at each of its steps. */
#include "explore/graphs/graphs_inside.h"

enum { EVENTS_FEW = 256 }; /* are looked at faster than they are kept */

void graphs_forget_passed(struct graphs *x)
{
    hash_map_clear(&x->passed.states);
    for (uint32_t t = 0; t < GRAPH_THREADS_MAX; t++)
        x->passed.until[t] = GRAPH_NONE;
}

/* The last event is kept again the next time: its number may be another's then, if it is taken back. */
static void keep_states(struct graphs *x, uint32_t thread, uint32_t last)
{
    const struct graph *g = x->g;
    for (uint32_t e = last; e != GRAPH_NONE && e != x->passed.until[thread]; e = g->events[e].po_before)
        if (g->events[e].state)
            *hash_map_at(&x->passed.states, hash_combine(g->events[e].state, thread)) = 0;
    x->passed.until[thread] = g->events[last].po_before;
}

bool graphs_may_have_passed(struct graphs *x, uint32_t thread, uint64_t state)
{
    uint32_t last = x->g->threads[thread].last;
    if (last == GRAPH_NONE || x->g->events[last].index < EVENTS_FEW)
        return true;
    keep_states(x, thread, last);
    return hash_map_get(&x->passed.states, hash_combine(state, thread)) != HASH_NO_NUMBER;
}
