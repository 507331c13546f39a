/* SPDX-License-Identifier: Apache-2.0 */

#include "graph/cycles.h"

#include <string.h>

struct sorting {
    const struct graph *g;
    uint32_t *home;  /* of each event: the first one of its section, or itself */
    uint32_t *later; /* of each home: how many edges lead from it to homes not yet taken away */
    uint32_t *stack, depth;
    /* The section that its thread is in, or GRAPH_NONE: nothing may come after it */
    uint32_t open;
};

static bool is_at(const struct graph_event *ev, uint64_t lock, enum event_kind kind)
{
    return ev->address == lock && ev->label.kind == kind &&
           (ev->type == GRAPH_READ || ev->type == GRAPH_WRITE);
}

/* A thread that waits inside of a section lets others in. */
static bool may_wait(const struct graph_event *ev, uint64_t lock)
{
    return ev->type == GRAPH_JOIN || (ev->address != lock && operation_may_wait(ev->label.operation) &&
                                      (ev->type == GRAPH_READ || ev->type == GRAPH_WRITE));
}

/* The end of the section that begins here: the last event of it, and whether its thread has left it. */
static uint32_t find_end(const struct graph *g, uint32_t first, uint64_t lock, bool *left, bool *waits)
{
    uint32_t last = first;
    *left = *waits = false;
    for (uint32_t e = first; e != GRAPH_NONE; e = g->events[e].po_after) {
        const struct graph_event *ev = &g->events[e];
        if (*left && !is_at(ev, lock, EVENT_UNLOCK))
            break;
        *left = is_at(ev, lock, EVENT_UNLOCK);
        *waits |= may_wait(ev, lock);
        last = e;
    }
    return last;
}

static void find_homes(struct sorting *s, uint32_t thread, uint64_t lock)
{
    const struct graph *g = s->g;
    for (uint32_t e = g->threads[thread].first; e != GRAPH_NONE; e = g->events[e].po_after) {
        if (!is_at(&g->events[e], lock, EVENT_LOCK) || !graph_has_happened(g, e))
            continue;
        bool left, waits;
        uint32_t home = e, last = find_end(g, e, lock, &left, &waits);
        for (uint32_t k = home; !waits; k = g->events[k].po_after) {
            s->home[k] = home;
            if (k == last)
                break;
        }
        if (!left && !waits)
            s->open = home;
        e = last;
    }
}

static void count_later(void *context, uint32_t cause, enum graph_relation relation, uint32_t event)
{
    struct sorting *s = context;
    (void)relation;
    s->later[s->home[cause]] += s->home[cause] != s->home[event];
}

static void take_away(void *context, uint32_t cause, enum graph_relation relation, uint32_t event)
{
    struct sorting *s = context;
    uint32_t home = s->home[cause];
    (void)relation;
    if (home != s->home[event] && --s->later[home] == 0)
        s->stack[s->depth++] = home;
}

static bool is_home(const struct sorting *s, uint32_t e)
{
    return s->home[e] == e && graph_has_happened(s->g, e);
}

/* From the end: takes sections and single events away that nothing left is after. */
static uint32_t count_left(struct sorting *s)
{
    uint32_t left = 0;
    for (uint32_t e = 0; e < s->g->count; e++) {
        left += is_home(s, e);
        graph_each_before(s->g, e, count_later, s);
    }
    if (s->open != GRAPH_NONE && s->later[s->open] > 0)
        return left;
    for (uint32_t e = 0; e < s->g->count; e++)
        if (is_home(s, e) && s->later[e] == 0)
            s->stack[s->depth++] = e;
    while (s->depth > 0) {
        uint32_t home = s->stack[--s->depth];
        for (uint32_t e = home; e != GRAPH_NONE && s->home[e] == home; e = s->g->events[e].po_after)
            graph_each_before(s->g, e, take_away, s);
        left--;
    }
    return left;
}

bool graph_sections_stand(const struct graph *g, uint64_t lock)
{
    struct sorting s = {.g = g,
                        .home = g->scratch,
                        .later = g->scratch + g->count,
                        .stack = g->scratch + 2 * g->count,
                        .open = GRAPH_NONE};
    memset(s.later, 0, g->count * sizeof *s.later);
    for (uint32_t e = 0; e < g->count; e++)
        s.home[e] = e;
    for (uint32_t t = 0; t < g->thread_count; t++)
        find_homes(&s, t, lock);
    return count_left(&s) == 0;
}
