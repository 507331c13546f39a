/* SPDX-License-Identifier: Apache-2.0 */
/* The search of model_rc11.c for cycles of psc, in graphs whose accesses have no parts, which are nearly all. It walks the same stages, but
 * from anchor to anchor: of what comes later in a thread only the first event and seq_cst accesses are looked at, what happens
 * after a fence once, and the search ends at a fence that the new event comes after. */
#include "graph/model.h"

#include <string.h>

enum psc_stage {
    PSC_ANCHOR,  /* a seq_cst event: the beginning and end of each psc step */
    PSC_BEFORE,  /* the scb step of psc_base begins here */
    PSC_LEFT,    /* program order to another location, inside scb */
    PSC_CAME,    /* then happens-before */
    PSC_AFTER,   /* the scb step ended here */
    PSC_ECO,     /* psc_F: happens-before came from a fence; eco may begin */
    PSC_ECO_END, /* psc_F: eco ended here, or goes on */
};
enum { PSC_STAGES = PSC_ECO_END + 1 };
_Static_assert(PSC_STAGES + 2 <= GRAPH_SCRATCH,
               "a stack of all events at all stages, `seen`, and `fences` with `accesses`");

struct psc_search {
    const struct graph *g;
    uint32_t *stack, depth;
    uint32_t *seen;                   /* for each event, the stages */
    uint32_t target;                  /* that the walk is to come back to */
    bool is_met;                      /* it is known to come back */
    uint32_t *fences, fence_count;    /* the seq_cst ones that are no anchors yet */
    uint32_t *accesses, access_count; /* the same */
    /* By thread, for each function that psc_for_later was called with: what comes before this is still to be looked at */
    uint32_t came[GRAPH_THREADS_MAX], came_from_fence[GRAPH_THREADS_MAX];
};

static void psc_push(struct psc_search *s, enum psc_stage stage, uint32_t e)
{
    if (s->seen[e] & 1u << stage)
        return;
    s->seen[e] |= 1u << stage;
    s->stack[s->depth++] = e << 3 | stage;
}

static bool psc_is_fence(const struct graph_event *ev)
{
    return ev->type == GRAPH_FENCE && ev->order == ORDER_SEQ_CST;
}

static bool psc_is_access(const struct graph_event *ev)
{
    return (ev->type == GRAPH_READ || ev->type == GRAPH_WRITE) && ev->order == ORDER_SEQ_CST;
}

static bool psc_happens_before(const struct psc_search *s, uint32_t e, uint32_t later)
{
    return e != later && graph_includes(graph_clock(s->g, later, CLOCK_HB), &s->g->events[e]);
}

static bool psc_elsewhere(const struct graph_event *a, const struct graph_event *b)
{
    if (graph_is_note(a) || graph_is_note(b))
        return false;
    return a->location == GRAPH_NONE || a->location != b->location;
}

static void psc_push_overwriters(struct psc_search *s, enum psc_stage stage, uint32_t e)
{
    const struct graph_event *ev = &s->g->events[e];
    if (ev->type != GRAPH_READ && ev->type != GRAPH_WRITE)
        return;
    uint32_t w = ev->type == GRAPH_READ ? ev->rf : e;
    for (w = s->g->events[w].mo_after; w != GRAPH_NONE; w = s->g->events[w].mo_after)
        if (w != e)
            psc_push(s, stage, w);
}

/* From a fence that happens before the target every kind of walk comes to it. */
static void psc_anchor_fence(struct psc_search *s, uint32_t number)
{
    uint32_t fence = s->fences[number];
    s->fences[number] = s->fences[--s->fence_count];
    s->fences[s->fence_count] = fence;
    s->is_met |= psc_happens_before(s, fence, s->target);
    psc_push(s, PSC_ANCHOR, fence);
}

static void psc_anchor_access(struct psc_search *s, uint32_t number)
{
    uint32_t access = s->accesses[number];
    s->accesses[number] = s->accesses[--s->access_count];
    s->accesses[s->access_count] = access;
    psc_push(s, PSC_ANCHOR, access);
}

static void psc_anchor(struct psc_search *s, uint32_t e)
{
    for (uint32_t i = 0; i < s->fence_count; i++)
        if (s->fences[i] == e) {
            psc_anchor_fence(s, i);
            return;
        }
    for (uint32_t i = 0; i < s->access_count; i++)
        if (s->accesses[i] == e) {
            psc_anchor_access(s, i);
            return;
        }
}

static void psc_push_fences_after(struct psc_search *s, uint32_t e)
{
    for (uint32_t i = 0; i < s->fence_count;)
        if (psc_happens_before(s, e, s->fences[i]))
            psc_anchor_fence(s, i);
        else
            i++;
}

/* What e happens before is the end of each thread: calls `act` for all of it, from the last event on, but once for each event. */
static inline __attribute__((always_inline)) void psc_for_later(struct psc_search *s, uint32_t e,
                                                                uint32_t *next,
                                                                void (*act)(struct psc_search *s, uint32_t y))
{
    for (uint32_t t = 0; t < s->g->thread_count; t++)
        for (; next[t] != GRAPH_NONE && psc_happens_before(s, e, next[t]);
             next[t] = s->g->events[next[t]].po_before)
            act(s, next[t]);
}

static void psc_come_from_fence(struct psc_search *s, uint32_t y)
{
    psc_push(s, PSC_BEFORE, y);
    if (!psc_is_fence(&s->g->events[y]))
        psc_push(s, PSC_ECO, y);
}

/* Where no access that is not an anchor comes later, scb goes on only by what overwrites. */
static void psc_come_for_fences(struct psc_search *s, uint32_t y)
{
    psc_push_overwriters(s, PSC_AFTER, y);
    if (!psc_is_fence(&s->g->events[y]))
        psc_push(s, PSC_ECO, y);
}

static bool psc_has_access_after(const struct psc_search *s, uint32_t fence)
{
    for (uint32_t i = 0; i < s->access_count; i++)
        if (psc_happens_before(s, fence, s->accesses[i]))
            return true;
    return false;
}

/* All later fences are anchors, too. */
static void psc_leave_anchor(struct psc_search *s, uint32_t e)
{
    if (!psc_is_fence(&s->g->events[e])) {
        psc_push(s, PSC_BEFORE, e);
        return;
    }
    psc_push_fences_after(s, e);
    if (psc_has_access_after(s, e)) {
        psc_push(s, PSC_BEFORE, e);
        psc_for_later(s, e, s->came_from_fence, psc_come_from_fence);
    } else {
        psc_for_later(s, e, s->came_from_fence, psc_come_for_fences);
    }
}

/* Of what comes later in program order the first event is enough, where all that happens after it follows: the others are ends of
 * an scb step themselves if they are seq_cst accesses. */
static void psc_push_rest(struct psc_search *s, const struct graph_event *ev, uint32_t first, bool elsewhere)
{
    if (first == GRAPH_NONE)
        return;
    psc_push(s, PSC_AFTER, first);
    for (uint32_t i = 0; i < s->access_count;) {
        const struct graph_event *access = &s->g->events[s->accesses[i]];
        if (access->thread == ev->thread && access->index > ev->index &&
            (!elsewhere || psc_elsewhere(ev, access)))
            psc_anchor_access(s, i);
        else
            i++;
    }
}

static uint32_t psc_first_elsewhere(const struct psc_search *s, const struct graph_event *ev)
{
    uint32_t z = ev->po_after;
    while (z != GRAPH_NONE && !psc_elsewhere(ev, &s->g->events[z]))
        z = s->g->events[z].po_after;
    return z;
}

static void psc_begin_scb(struct psc_search *s, uint32_t e)
{
    const struct graph_event *ev = &s->g->events[e];
    psc_push_rest(s, ev, ev->po_after, false);
    uint32_t left = psc_first_elsewhere(s, ev);
    if (left != GRAPH_NONE)
        psc_push(s, PSC_LEFT, left);
    if (ev->location == GRAPH_NONE)
        return;
    psc_push_overwriters(s, PSC_AFTER, e);
    for (uint32_t z = s->g->locations[ev->location].last; z != GRAPH_NONE;
         z = s->g->events[z].location_before)
        if (psc_happens_before(s, e, z))
            psc_push(s, PSC_AFTER, z);
}

static void psc_come(struct psc_search *s, uint32_t y)
{
    psc_push(s, PSC_CAME, y);
}

static void psc_pass_through(struct psc_search *s, uint32_t e)
{
    psc_for_later(s, e, s->came, psc_come);
}

static void psc_end_scb(struct psc_search *s, uint32_t e)
{
    const struct graph_event *ev = &s->g->events[e];
    psc_push_rest(s, ev, psc_first_elsewhere(s, ev), true);
}

static void psc_continue_eco(struct psc_search *s, uint32_t e)
{
    const struct graph_event *ev = &s->g->events[e];
    psc_push_overwriters(s, PSC_ECO_END, e);
    if (ev->type == GRAPH_WRITE)
        for (uint32_t r = ev->reader; r != GRAPH_NONE; r = s->g->events[r].reader)
            psc_push(s, PSC_ECO_END, r);
}

static void psc_expand(struct psc_search *s, enum psc_stage stage, uint32_t e)
{
    const struct graph_event *ev = &s->g->events[e];
    switch (stage) {
    case PSC_ANCHOR: psc_leave_anchor(s, e); break;
    case PSC_BEFORE: psc_begin_scb(s, e); break;
    case PSC_LEFT: psc_pass_through(s, e); break;
    case PSC_CAME: psc_end_scb(s, e); break;
    case PSC_AFTER:
        if (ev->order == ORDER_SEQ_CST)
            psc_anchor(s, e);
        psc_push_fences_after(s, e);
        break;
    case PSC_ECO: psc_continue_eco(s, e); break;
    case PSC_ECO_END:
        psc_continue_eco(s, e);
        psc_push_fences_after(s, e);
        break;
    }
}

/* Accesses and fences lie side by side. */
static void psc_find_anchors(struct psc_search *s)
{
    const struct graph *g = s->g;
    s->accesses = s->fences + g->sc_fences;
    s->fence_count = s->access_count = 0;
    for (uint32_t e = 0; e < g->count; e++) {
        const struct graph_event *ev = &g->events[e];
        if (ev->order != ORDER_SEQ_CST)
            continue;
        if (psc_is_fence(ev))
            s->fences[s->fence_count++] = e;
        else if (psc_is_access(ev))
            s->accesses[s->access_count++] = e;
    }
}

/* Only what comes after a fence, and accesses themselves, begin an scb step. */
static bool psc_may_begin_scb(const struct psc_search *s, uint32_t e)
{
    bool may = psc_is_access(&s->g->events[e]);
    for (uint32_t i = 0; i < s->fence_count && !may; i++)
        may = psc_happens_before(s, s->fences[i], e);
    return may;
}

/* Is the target met again, at one of the wanted stages, by a walk that overwrites it and goes on with `stage`? */
static bool psc_returns(struct psc_search *s, enum psc_stage stage, uint32_t wanted)
{
    const struct graph *g = s->g;
    uint32_t fences = s->fence_count, accesses = s->access_count;
    s->depth = 0;
    s->is_met = false;
    for (uint32_t t = 0; t < g->thread_count; t++)
        s->came[t] = s->came_from_fence[t] = g->threads[t].last;
    memset(s->seen, 0, g->count * sizeof *s->seen);
    psc_push_overwriters(s, stage, s->target);
    while (s->depth > 0 && !s->is_met && !(s->seen[s->target] & wanted)) {
        uint32_t at = s->stack[--s->depth];
        psc_expand(s, at & 7, at >> 3);
    }
    s->fence_count = fences;
    s->access_count = accesses;
    return s->is_met || s->seen[s->target] & wanted;
}

bool model_has_psc_cycle(const struct graph *g, uint32_t e)
{
    struct psc_search s;
    s.g = g;
    s.target = e;
    s.stack = g->scratch;
    s.seen = g->scratch + PSC_STAGES * (size_t)g->capacity;
    s.fences = s.seen + g->capacity;
    psc_find_anchors(&s);
    if (psc_may_begin_scb(&s, e) && psc_returns(&s, PSC_AFTER, 1u << PSC_BEFORE))
        return true;
    return s.fence_count > 0 && psc_returns(&s, PSC_ECO_END, 1u << PSC_ECO | 1u << PSC_ECO_END);
}
