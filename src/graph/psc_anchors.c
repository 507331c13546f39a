/* SPDX-License-Identifier: Apache-2.0 */
/* May rc11's relation psc have a cycle through a new event? Asked before the search of model_rc11.c, and nearly always answered with no.
 *
 * A cycle is one of *anchors*, seq_cst fences and accesses. A new one leaves the event by mo or from-read: what would come to the event by mo or
 * reads-from and leave it so comes to the same writes without it. So it has a step that begins with a fence which
 * happens before the event, or with the event itself, and goes on with what overwrites it. All other steps are those of the graph
 * without the event; happens-before between two anchors is taken for one, which it need not be where one of them is an access. */
#include "graph/model.h"

enum { ANCHORS_MOST = 64 };

struct anchors {
    const struct graph *g;
    uint32_t count, events[ANCHORS_MOST];
    const int16_t *hb[ANCHORS_MOST]; /* their clocks */
    uint64_t fences;                 /* which of them are */
    /* By steps from the event; of these, those that no step was taken from yet */
    uint64_t reached, left;
    /* By thread: what comes after this was reached by happens-before from a fence */
    uint32_t later[GRAPH_THREADS_MAX];
};

static uint64_t bit_at(uint32_t number)
{
    return UINT64_C(1) << number;
}

static bool is_access(const struct graph_event *ev)
{
    return ev->type == GRAPH_READ || ev->type == GRAPH_WRITE;
}

static bool find_anchors(struct anchors *a)
{
    const struct graph *g = a->g;
    if (g->sc_fences + g->sc_accesses > ANCHORS_MOST)
        return false;
    for (uint32_t e = 0; e < g->count; e++) {
        const struct graph_event *ev = &g->events[e];
        if (ev->order != ORDER_SEQ_CST || (ev->type != GRAPH_FENCE && !is_access(ev)))
            continue;
        a->fences |= ev->type == GRAPH_FENCE ? bit_at(a->count) : 0;
        a->hb[a->count] = graph_clock(g, e, CLOCK_HB);
        a->events[a->count++] = e;
    }
    return true;
}

/* Those of the given anchors that the event, which is none of them, happens before. */
static uint64_t those_after(const struct anchors *a, uint64_t which, const struct graph_event *ev)
{
    uint64_t after = 0;
    for (; which; which &= which - 1) {
        uint32_t k = (uint32_t)__builtin_ctzll(which);
        after |= (uint64_t)graph_includes(a->hb[k], ev) << k;
    }
    return after;
}

static uint64_t those_before(const struct anchors *a, uint64_t which, const int16_t *hb)
{
    uint64_t before = 0;
    for (; which; which &= which - 1) {
        uint32_t k = (uint32_t)__builtin_ctzll(which);
        before |= (uint64_t)graph_includes(hb, &a->g->events[a->events[k]]) << k;
    }
    return before;
}

/* The anchor that the event is, if any. */
static uint64_t anchor_of(const struct anchors *a, uint32_t e)
{
    if (a->g->events[e].order == ORDER_SEQ_CST)
        for (uint32_t k = 0; k < a->count; k++)
            if (a->events[k] == e)
                return bit_at(k);
    return 0;
}

static void reach(struct anchors *a, uint64_t which)
{
    a->left |= which & ~a->reached;
    a->reached |= which;
}

static void reach_fences_after(struct anchors *a, uint32_t e)
{
    reach(a, those_after(a, a->fences & ~a->reached, &a->g->events[e]));
}

static void reach_from_readers(struct anchors *a, uint32_t w)
{
    for (uint32_t r = a->g->events[w].reader; r != GRAPH_NONE; r = a->g->events[r].reader)
        reach_fences_after(a, r);
}

/* By mo or from-read, then perhaps happens-before to a fence. `eco`: perhaps reads-from in between. */
static void overwrite(struct anchors *a, const struct graph_event *ev, bool eco)
{
    const struct graph_event *events = a->g->events;
    uint32_t w = ev->type == GRAPH_READ ? events[ev->rf].mo_after : ev->mo_after;
    for (; w != GRAPH_NONE; w = events[w].mo_after) {
        reach(a, anchor_of(a, w));
        reach_fences_after(a, w);
        if (eco)
            reach_from_readers(a, w);
    }
}

/* What happens after a fence is the end of each thread; each event is looked at once. */
static void step_from_fence(struct anchors *a, uint32_t fence)
{
    const struct graph_event *events = a->g->events;
    for (uint32_t t = 0; t < a->g->thread_count; t++)
        for (uint32_t y = a->later[t];
             y != GRAPH_NONE && y != fence && graph_includes(graph_clock(a->g, y, CLOCK_HB), &events[fence]);
             y = a->later[t] = events[y].po_before) {
            if (!is_access(&events[y]))
                continue;
            overwrite(a, &events[y], true);
            if (events[y].type == GRAPH_WRITE)
                reach_from_readers(a, y);
        }
}

static void step_from(struct anchors *a, uint32_t k)
{
    uint32_t e = a->events[k];
    const struct graph_event *ev = &a->g->events[e];
    uint64_t others =
        ~a->reached & ~bit_at(k) & (a->count < ANCHORS_MOST ? bit_at(a->count) - 1 : UINT64_MAX);
    reach(a, those_after(a, others, ev));
    if (ev->type == GRAPH_FENCE)
        step_from_fence(a, e);
    else
        overwrite(a, ev, false);
}

bool model_may_have_psc_cycle(const struct graph *g, uint32_t e)
{
    struct anchors a;
    a.g = g;
    a.count = 0;
    a.fences = a.reached = a.left = 0;
    if (!find_anchors(&a))
        return true;
    uint64_t before = those_before(&a, a.fences, graph_clock(g, e, CLOCK_HB));
    uint64_t wanted = before | anchor_of(&a, e);
    if (!wanted)
        return false;
    overwrite(&a, &g->events[e], before != 0);
    if (!a.left)
        return false;
    for (uint32_t t = 0; t < g->thread_count; t++)
        a.later[t] = g->threads[t].last;
    while (a.left && !(a.reached & wanted)) {
        uint32_t k = (uint32_t)__builtin_ctzll(a.left);
        a.left &= a.left - 1;
        step_from(&a, k);
    }
    return a.reached & wanted;
}
