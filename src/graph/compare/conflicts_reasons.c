/* SPDX-License-Identifier: Apache-2.0 */
/* Why an execution that is not serializable may be right all the same. */
#include "graph/compare/conflicts_state.h"

#include <stdlib.h>

const char *conflict_reason_word(enum conflict_reason r)
{
    static const char *const words[] = {
#define X(name, word, text) word,
        CONFLICT_REASONS(X)
#undef X
    };
    return words[r];
}

const char *conflict_reason_text(enum conflict_reason r)
{
    static const char *const texts[] = {
#define X(name, word, text) text,
        CONFLICT_REASONS(X)
#undef X
    };
    return texts[r];
}

static void excuse(struct conflicts *c, uint32_t e, enum conflict_reason reason)
{
    c->excuses[e] |= (uint8_t)(1u << reason);
}

static bool only_reads(const struct graph_event *ev)
{
    return ev->type == GRAPH_READ && !(ev->flags & GRAPH_UPDATE);
}

static bool is_failed_cas(const struct graph_event *ev)
{
    return only_reads(ev) && ev->label.operation == OPERATION_CAS;
}

/* Does the operation read the location again later? `cas`: by a CAS. */
static bool comes_back(const struct conflicts *c, uint32_t e, bool cas)
{
    const struct graph_event *events = c->graph->events;
    for (uint32_t n = events[e].po_after; n != GRAPH_NONE && c->op[n] == c->op[e]; n = events[n].po_after)
        if (events[n].type == GRAPH_READ && events[n].location == events[e].location &&
            (!cas || events[n].label.operation == OPERATION_CAS))
            return true;
    return false;
}

/* All that was only read before the CAS in vain; writes stay. */
static void excuse_attempt(struct conflicts *c, uint32_t e)
{
    const struct graph_event *events = c->graph->events;
    uint8_t op = c->op[e];
    for (; e != GRAPH_NONE && c->op[e] == op; e = events[e].po_before)
        if (only_reads(&events[e]))
            excuse(c, e, CONFLICT_RETRY);
}

/* All of it, locks and writes too: where an operation begins to wait, it lets others go first. */
static void excuse_until(struct conflicts *c, uint32_t e)
{
    uint8_t op = c->op[e];
    for (; e != GRAPH_NONE && c->op[e] == op; e = c->graph->events[e].po_before)
        excuse(c, e, CONFLICT_WAIT);
}

static void excuse_waits(struct conflicts *c)
{
    for (uint32_t e = 0; e < c->graph->count; e++)
        if (c->op[e] != CONFLICTS_NO_OP && c->graph->events[e].label.operation == OPERATION_WOKEN)
            excuse_until(c, e);
}

static void excuse_reads(struct conflicts *c)
{
    for (uint32_t e = 0; e < c->graph->count; e++) {
        const struct graph_event *ev = &c->graph->events[e];
        if (c->op[e] == CONFLICTS_NO_OP || !only_reads(ev))
            continue;
        if (is_failed_cas(ev) && comes_back(c, e, true))
            excuse_attempt(c, e);
        if (comes_back(c, e, false))
            excuse(c, e, CONFLICT_RECHECK);
    }
}

/* ------------------------------------------------------------------ locations */

static bool is_data(const struct graph_event *ev)
{
    return ev->type == GRAPH_INIT || ev->label.kind <= EVENT_CAS_FAILED ||
           ev->label.kind == EVENT_PLAIN_READ || ev->label.kind == EVENT_PLAIN_WRITE;
}

struct history {
    uint32_t writes; /* by operations */
    bool data;       /* nothing but reads and writes */
    bool grows, shrinks;
};

/* As a number of that size; larger ones may be addresses, which say nothing when they grow. */
static bool small_number(const struct graph_event *ev, int64_t *number)
{
    unsigned unused = ev->size && ev->size < 8 ? 64 - 8u * ev->size : 0;
    *number = (int64_t)((uint64_t)ev->value << unused) >> unused;
    return *number > -65536 && *number < 65536;
}

/* The values in modification order. */
static struct history read_history(const struct conflicts *c, const struct graph_location *l)
{
    const struct graph_event *events = c->graph->events;
    struct history h = {.data = true, .grows = true, .shrinks = true};
    int64_t last, value;
    bool known = small_number(&events[l->init], &last);
    for (uint32_t w = events[l->init].mo_after; w != GRAPH_NONE; w = events[w].mo_after) {
        h.writes += c->op[w] != CONFLICTS_NO_OP;
        known &= small_number(&events[w], &value);
        h.grows &= value > last;
        h.shrinks &= value < last;
        last = value;
    }
    h.grows &= known;
    h.shrinks &= known;
    for (uint32_t e = l->last; e != GRAPH_NONE; e = events[e].location_before)
        h.data &= is_data(&events[e]);
    return h;
}

static bool is_lock(const struct graph_event *ev)
{
    return ev->type == GRAPH_INIT || (ev->label.kind >= EVENT_LOCK && ev->label.kind <= EVENT_READ_UNLOCK) ||
           ev->label.kind == EVENT_ONCE;
}

/* A lock, and no thread gets it more than once. */
static bool is_taken_once(const struct conflicts *c, const struct graph_location *l)
{
    const struct graph_event *events = c->graph->events;
    uint32_t takers = 0;
    for (uint32_t e = l->last; e != GRAPH_NONE; e = events[e].location_before) {
        if (!is_lock(&events[e]))
            return false;
        if (events[e].type != GRAPH_READ || !(events[e].flags & GRAPH_UPDATE) || c->op[e] == CONFLICTS_NO_OP)
            continue;
        if (takers >> events[e].thread & 1)
            return false;
        takers |= UINT32_C(1) << events[e].thread;
    }
    return true;
}

static void excuse_location(struct conflicts *c, const struct graph_location *l)
{
    const struct graph_event *events = c->graph->events;
    struct history h = read_history(c, l);
    bool once = h.data ? h.writes == 1 : is_taken_once(c, l);
    bool compared = h.data && h.writes > 1 && (h.grows || h.shrinks);
    if (!once && !compared)
        return;
    for (uint32_t e = l->last; e != GRAPH_NONE; e = events[e].location_before) {
        if (once)
            excuse(c, e, CONFLICT_INITIALISATION);
        if (compared && only_reads(&events[e]))
            excuse(c, e, CONFLICT_COMPARISON);
    }
}

static void find_excuses(struct conflicts *c)
{
    excuse_reads(c);
    excuse_waits(c);
    for (uint32_t k = 0; k < c->graph->location_count; k++)
        if (c->graph->locations[k].init != GRAPH_NONE)
            excuse_location(c, &c->graph->locations[k]);
}

enum conflict_reason conflicts_reason(struct conflicts *c)
{
    unsigned all = 0;
    find_excuses(c);
    for (unsigned r = 0; r < CONFLICT_SEVERAL; r++) {
        if (conflicts_is_serializable_without(c, 1u << r))
            return (enum conflict_reason)r;
        all |= 1u << r;
    }
    return conflicts_is_serializable_without(c, all) ? CONFLICT_SEVERAL : CONFLICT_OTHER;
}
