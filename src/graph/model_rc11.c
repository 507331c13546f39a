/* SPDX-License-Identifier: Apache-2.0 */
/* The repaired C11 model (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017), with release sequences as in C++20, or as it
 * has them itself (model_rc11_c11).
 * What clocks do not decide is whether seq_cst events have an order: the relation psc must not have a cycle.
 *
 * A cycle of psc is a closed walk through these stages at events, and a new one leaves event e by mo or from-read,
 * because nothing else leaves e. So the search begins with what overwrites e. */
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
    /* psc_F: eco ended here; it began at a read of a piece of its granule */
    PSC_ECO_LAST,
};
enum { PSC_STAGES = PSC_ECO_LAST + 1 };
_Static_assert(PSC_STAGES + 2 <= GRAPH_SCRATCH, "a stack of all events at all stages, `seen` and `fences`");

struct psc_search {
    const struct graph *g;
    uint32_t *stack, depth;
    uint32_t *seen; /* for each event, the stages */
    uint32_t *fences, fence_count;
};

/* Inside of eco, which stays at one granule, the parts of an access count one by one. */
static uint32_t psc_node(const struct psc_search *s, enum psc_stage stage, uint32_t e)
{
    return s->g->has_parts && stage < PSC_ECO ? graph_last_part(s->g, e) : e;
}

static void psc_push(struct psc_search *s, enum psc_stage stage, uint32_t e)
{
    e = psc_node(s, stage, e);
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

/* What comes next is asked of most pairs of events. */
#define PSC_INLINE static inline __attribute__((always_inline))

/* The clocks of an access with parts are those of its last one. */
PSC_INLINE bool psc_happens_before(const struct psc_search *s, uint32_t e, uint32_t later)
{
    if (__builtin_expect(s->g->has_parts, false)) {
        e = graph_last_part(s->g, e);
        later = graph_last_part(s->g, later);
    }
    return e != later && graph_includes(graph_clock(s->g, later, CLOCK_HB), &s->g->events[e]);
}

/* Another location; of accesses of different sizes: they have no byte in common. */
PSC_INLINE bool psc_elsewhere(const struct psc_search *s, uint32_t e, uint32_t other)
{
    const struct graph_event *a = &s->g->events[e], *b = &s->g->events[other];
    if (graph_is_note(a) || graph_is_note(b))
        return false;
    if (__builtin_expect(!s->g->has_parts, true))
        return a->location == GRAPH_NONE || a->location != b->location;
    return a->location == GRAPH_NONE || b->location == GRAPH_NONE || !model_is_same_place(s->g, a, b);
}

static void psc_push_part_overwriters(struct psc_search *s, enum psc_stage stage, uint32_t e)
{
    const struct graph_event *ev = &s->g->events[e];
    if (ev->type != GRAPH_READ && ev->type != GRAPH_WRITE)
        return;
    uint32_t w = ev->type == GRAPH_READ ? ev->rf : e;
    for (w = w == GRAPH_NONE ? w : s->g->events[w].mo_after; w != GRAPH_NONE; w = s->g->events[w].mo_after)
        if (w != e)
            psc_push(s, stage, w);
}

static void psc_push_overwriters(struct psc_search *s, enum psc_stage stage, uint32_t e)
{
    for (; e != GRAPH_NONE; e = graph_part_before(s->g, e))
        psc_push_part_overwriters(s, stage, e);
}

/* Fences that e happens before are reached with the stage ANCHOR, other events with the given one. */
static void psc_push_fences_after(struct psc_search *s, uint32_t e)
{
    for (uint32_t i = 0; i < s->fence_count; i++)
        if (psc_happens_before(s, e, s->fences[i]))
            psc_push(s, PSC_ANCHOR, s->fences[i]);
}

/* What e happens before is the end of each thread: calls `act` for all of it, from the last event on. */
static void psc_for_later(struct psc_search *s, uint32_t e, void (*act)(struct psc_search *s, uint32_t y))
{
    for (uint32_t t = 0; t < s->g->thread_count; t++)
        for (uint32_t y = s->g->threads[t].last; y != GRAPH_NONE && psc_happens_before(s, e, y);
             y = s->g->events[y].po_before)
            act(s, y);
}

static void psc_come_from_fence(struct psc_search *s, uint32_t y)
{
    psc_push(s, PSC_BEFORE, y);
    if (psc_is_fence(&s->g->events[y]))
        psc_push(s, PSC_ANCHOR, y);
    else
        psc_push(s, PSC_ECO, y); /* for each part: all events of the thread are come to */
}

static void psc_leave_anchor(struct psc_search *s, uint32_t e)
{
    psc_push(s, PSC_BEFORE, e);
    if (psc_is_fence(&s->g->events[e]))
        psc_for_later(s, e, psc_come_from_fence);
}

static void psc_push_later_there(struct psc_search *s, uint32_t e)
{
    for (uint32_t z = s->g->locations[s->g->events[e].location].last; z != GRAPH_NONE;
         z = s->g->events[z].location_before)
        if (psc_happens_before(s, e, z) && graph_shares_bytes(&s->g->events[e], &s->g->events[z]))
            psc_push(s, PSC_AFTER, z);
}

static void psc_begin_scb(struct psc_search *s, uint32_t e)
{
    const struct graph_event *ev = &s->g->events[e];
    for (uint32_t z = ev->po_after; z != GRAPH_NONE; z = s->g->events[z].po_after) {
        psc_push(s, PSC_AFTER, z);
        if (psc_elsewhere(s, e, z))
            psc_push(s, PSC_LEFT, z);
    }
    if (ev->location == GRAPH_NONE)
        return;
    psc_push_overwriters(s, PSC_AFTER, e);
    for (; e != GRAPH_NONE; e = graph_part_before(s->g, e))
        psc_push_later_there(s, e);
}

static void psc_come(struct psc_search *s, uint32_t y)
{
    psc_push(s, PSC_CAME, y);
}

static void psc_pass_through(struct psc_search *s, uint32_t e)
{
    psc_for_later(s, e, psc_come);
}

static void psc_end_scb(struct psc_search *s, uint32_t e)
{
    const struct graph_event *ev = &s->g->events[e];
    for (uint32_t z = ev->po_after; z != GRAPH_NONE; z = s->g->events[z].po_after)
        if (psc_elsewhere(s, e, z))
            psc_push(s, PSC_AFTER, z);
}

/* Of a read of a piece: what overwrites it, and reads of that which have a byte in common with it. */
static void psc_push_eco_of_piece(struct psc_search *s, uint32_t e)
{
    const struct graph_event *ev = &s->g->events[e];
    for (uint32_t w = s->g->events[ev->rf].mo_after; w != GRAPH_NONE; w = s->g->events[w].mo_after) {
        psc_push(s, PSC_ECO_LAST, w);
        for (uint32_t r = s->g->events[w].reader; r != GRAPH_NONE; r = s->g->events[r].reader)
            if (graph_shares_bytes(ev, &s->g->events[r]))
                psc_push(s, PSC_ECO_LAST, r);
    }
}

static void psc_continue_eco(struct psc_search *s, uint32_t e)
{
    const struct graph_event *ev = &s->g->events[e];
    if (ev->flags & GRAPH_PIECE) {
        psc_push_eco_of_piece(s, e);
        return;
    }
    psc_push_part_overwriters(s, PSC_ECO_END, e);
    if (ev->type == GRAPH_WRITE)
        for (uint32_t r = ev->reader; r != GRAPH_NONE; r = s->g->events[r].reader)
            psc_push(s, PSC_ECO_END, r);
}

PSC_INLINE void psc_expand(struct psc_search *s, enum psc_stage stage, uint32_t e)
{
    const struct graph_event *ev = &s->g->events[e];
    switch (stage) {
    case PSC_ANCHOR: psc_leave_anchor(s, e); break;
    case PSC_BEFORE: psc_begin_scb(s, e); break;
    case PSC_LEFT: psc_pass_through(s, e); break;
    case PSC_CAME: psc_end_scb(s, e); break;
    case PSC_AFTER:
        if (psc_is_access(ev) || psc_is_fence(ev))
            psc_push(s, PSC_ANCHOR, e);
        psc_push_fences_after(s, e);
        break;
    case PSC_ECO: psc_continue_eco(s, e); break;
    case PSC_ECO_END:
        psc_continue_eco(s, e);
        psc_push_fences_after(s, e);
        break;
    case PSC_ECO_LAST: psc_push_fences_after(s, e); break;
    }
}

static void psc_find_fences(struct psc_search *s)
{
    for (uint32_t f = 0; s->fence_count < s->g->sc_fences; f++)
        if (psc_is_fence(&s->g->events[f]))
            s->fences[s->fence_count++] = f;
}

/* Is e met again, at one of the wanted stages, by a walk that overwrites e and goes on with `stage`? Inside of eco e is one part. */
static __attribute__((noinline)) bool psc_returns(const struct graph *g, uint32_t e, enum psc_stage stage,
                                                  uint32_t wanted)
{
    uint32_t *seen = g->scratch + PSC_STAGES * (size_t)g->capacity;
    struct psc_search s = {g, g->scratch, 0, seen, seen + g->capacity, 0};
    memset(s.seen, 0, g->count * sizeof *s.seen);
    psc_find_fences(&s);
    if (stage < PSC_ECO)
        psc_push_overwriters(&s, stage, e);
    else if (g->events[e].flags & GRAPH_PIECE)
        psc_push_eco_of_piece(&s, e);
    else
        psc_push_part_overwriters(&s, stage, e);
    while (s.depth > 0 && !(s.seen[e] & wanted)) {
        uint32_t at = s.stack[--s.depth];
        psc_expand(&s, at & 7, at >> 3);
    }
    return s.seen[e] & wanted;
}

static bool psc_returns_to_fence(const struct graph *g, uint32_t e)
{
    for (; e != GRAPH_NONE; e = graph_part_before(g, e))
        if (psc_returns(g, e, PSC_ECO_END, 1u << PSC_ECO | 1u << PSC_ECO_END))
            return true;
    return false;
}

/* With nothing but seq_cst accesses the model is sequential consistency; without or with a single seq_cst event
 * coherence is all there is. */
static bool rc11_is_consistent(const struct graph *g, uint32_t e)
{
    if (g->has_parts)
        e = graph_last_part(g, e);
    if (!model_is_coherent(g, e) || (g->locations[g->events[e].location].mixed && model_is_torn(g, e)))
        return false;
    if (g->sc_accesses + g->sc_fences < 2)
        return true;
    if (g->weak_accesses == 0)
        return !model_has_cycle(g, e, false);
    if (!g->has_parts && !model_may_have_psc_cycle(g, e))
        return true;
    if (psc_returns(g, e, PSC_AFTER, 1u << PSC_BEFORE))
        return false;
    return g->sc_fences == 0 || !psc_returns_to_fence(g, e);
}

#define RC11                                                                        \
    .kind = MODEL_LANGUAGE, .leaves_out = "load buffering",                         \
    .effective_order = {ORDER_RELAXED, ORDER_ACQUIRE, ORDER_ACQUIRE, ORDER_RELEASE, \
                        ORDER_ACQ_REL, ORDER_SEQ_CST, ORDER_PLAIN},                 \
    .is_consistent = rc11_is_consistent, .axioms = model_rc11_axioms, .mo_against_causes = true

const struct memory_model model_rc11 = {.name = "rc11", RC11};
const struct memory_model model_rc11_c11 = {.name = "rc11-c11", RC11, .stores_continue = true};
