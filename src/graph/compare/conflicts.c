/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/compare/conflicts_state.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct conflicts *conflicts_new(void)
{
    return NEW(struct conflicts);
}

void conflicts_free(struct conflicts *c)
{
    if (!c)
        return;
    free(c->op);
    free(c->excuses);
    free(c);
}

static uint64_t bit(uint32_t i)
{
    return UINT64_C(1) << i;
}

static void make_room(struct conflicts *c, size_t events)
{
    if (events <= c->capacity)
        return;
    c->capacity = 2 * events;
    c->op = base_realloc(c->op, c->capacity);
    c->excuses = base_realloc(c->excuses, c->capacity);
}

/* ------------------------------------------------------------------ operations */

struct reading {
    struct conflicts *c;
    uint8_t open[GRAPH_THREADS_MAX];
    uint64_t before[GRAPH_THREADS_MAX];   /* operations that the thread's next one comes after */
    uint32_t returned[CONFLICTS_OPS_MAX]; /* event; while it runs: of its call */
};

static void add_edge(struct conflicts *c, uint32_t a, uint32_t b, struct conflicts_edge edge)
{
    if (!(c->after[a] & bit(b)))
        c->edges[a][b] = edge;
    c->after[a] |= bit(b);
}

static bool call(struct reading *r, uint32_t e, const struct graph_event *ev)
{
    struct conflicts *c = r->c;
    if (c->count == CONFLICTS_OPS_MAX)
        return false;
    uint32_t i = c->count++;
    c->numbers[i] = (uint32_t)ev->value;
    c->after[i] = 0;
    for (uint64_t left = r->before[ev->thread]; left; left &= left - 1) {
        uint32_t a = (uint32_t)__builtin_ctzll(left);
        add_edge(c, a, i, (struct conflicts_edge){r->returned[a], e, RELATION_THREAD});
    }
    r->before[ev->thread] = bit(i);
    r->returned[i] = e;
    r->open[ev->thread] = (uint8_t)i;
    return true;
}

static bool read_event(struct reading *r, uint32_t e, const struct graph_event *ev)
{
    if (ev->type == GRAPH_MARK && ev->label.kind == EVENT_OP_CALL && !call(r, e, ev))
        return false;
    uint8_t open = r->open[ev->thread];
    r->c->op[e] = graph_has_happened(r->c->graph, e) ? open : CONFLICTS_NO_OP;
    if (ev->type == GRAPH_CREATE) {
        r->before[ev->address] = r->before[ev->thread];
    } else if (ev->type == GRAPH_JOIN) {
        r->before[ev->thread] |= r->before[ev->address];
    } else if (ev->type == GRAPH_MARK && ev->label.kind == EVENT_OP_RETURN) {
        r->returned[open] = e;
        r->open[ev->thread] = CONFLICTS_NO_OP;
    }
    return true;
}

static bool read_operations(struct conflicts *c)
{
    struct reading r = {.c = c};
    memset(r.open, CONFLICTS_NO_OP, sizeof r.open);
    memset(c->op, CONFLICTS_NO_OP, c->graph->count);
    c->count = 0;
    for (uint32_t e = 0; e < c->graph->count; e++) {
        const struct graph_event *ev = &c->graph->events[e];
        if (ev->type != GRAPH_INIT && !read_event(&r, e, ev))
            return false;
    }
    return true;
}

/* ------------------------------------------------------------------ conflicts */

struct joining {
    struct conflicts *c;
    unsigned left_out; /* excuses */
};

static bool is_left_out(const struct joining *j, uint32_t e)
{
    return j->c->excuses[e] & j->left_out;
}

static void join(const struct joining *j, uint32_t from, uint32_t to, enum graph_relation relation)
{
    uint8_t a = j->c->op[from], b = j->c->op[to];
    if (a != b && a != CONFLICTS_NO_OP && b != CONFLICTS_NO_OP && !is_left_out(j, from))
        add_edge(j->c, a, b, (struct conflicts_edge){from, to, relation});
}

/* What the read would find if the writes left out had not happened. */
static void join_read(const struct joining *j, uint32_t r)
{
    const struct graph_event *events = j->c->graph->events;
    uint32_t w = events[r].rf;
    while (w != GRAPH_NONE && is_left_out(j, w))
        w = events[w].mo_before;
    if (w != GRAPH_NONE)
        join(j, w, r, RELATION_READ_BY);
}

/* The write before, and those who read that, or one between that is left out. */
static void join_write(const struct joining *j, uint32_t e)
{
    const struct graph_event *events = j->c->graph->events;
    uint32_t w = e;
    do {
        w = events[w].mo_before;
        if (w == GRAPH_NONE)
            return;
        for (uint32_t r = events[w].reader; r != GRAPH_NONE; r = events[r].reader)
            join(j, r, e, RELATION_TOO_EARLY_FOR);
    } while (is_left_out(j, w));
    join(j, w, e, RELATION_OVERWRITTEN_BY);
}

static void join_operations(struct conflicts *c, unsigned left_out)
{
    struct joining j = {c, left_out};
    for (uint32_t e = 0; e < c->graph->count; e++) {
        const struct graph_event *ev = &c->graph->events[e];
        if (c->op[e] == CONFLICTS_NO_OP || is_left_out(&j, e))
            continue;
        if (ev->type == GRAPH_READ)
            join_read(&j, e);
        else if (ev->type == GRAPH_WRITE)
            join_write(&j, e);
    }
}

/* Takes operations away that are after none. Those left are on cycles, or before or between them. */
static uint64_t find_left(const struct conflicts *c)
{
    uint64_t left = c->count == 64 ? UINT64_MAX : bit(c->count) - 1, before;
    do {
        before = left;
        for (uint32_t a = 0; a < c->count; a++)
            if (left & bit(a) && !(c->after[a] & left))
                left &= ~bit(a);
    } while (left != before);
    return left;
}

bool conflicts_is_serializable_without(struct conflicts *c, unsigned excuses)
{
    read_operations(c);
    join_operations(c, excuses);
    return !find_left(c);
}

enum conflicts_answer conflicts_read(struct conflicts *c, const struct graph *g)
{
    c->graph = g;
    make_room(c, g->count);
    memset(c->excuses, 0, g->count);
    if (!read_operations(c))
        return CONFLICTS_TOO_MANY;
    join_operations(c, 0);
    return find_left(c) ? CONFLICTS_CYCLE : CONFLICTS_SERIALIZABLE;
}

uint32_t conflicts_operation_of(const struct conflicts *c, uint32_t event)
{
    return c->op[event] == CONFLICTS_NO_OP ? UINT32_MAX : c->numbers[c->op[event]];
}

/* ------------------------------------------------------------------ a cycle */

/* The operations of a shortest cycle from a on, in order; 0: a is on none. */
static uint32_t walk(const struct conflicts *c, uint32_t a, uint8_t *way)
{
    uint8_t from[CONFLICTS_OPS_MAX], queue[CONFLICTS_OPS_MAX];
    uint64_t seen = 0;
    uint32_t last = 0, length = 0;
    queue[last++] = (uint8_t)a;
    for (uint32_t k = 0; k < last && !(seen & bit(a)); k++)
        for (uint64_t next = c->after[queue[k]] & ~seen; next; next &= next - 1) {
            uint32_t b = (uint32_t)__builtin_ctzll(next);
            seen |= bit(b);
            from[b] = queue[k];
            if (b != a)
                queue[last++] = (uint8_t)b;
        }
    if (!(seen & bit(a)))
        return 0;
    uint32_t at = a;
    do {
        at = from[at];
        way[length++] = (uint8_t)at;
    } while (at != a);
    for (uint32_t k = 0; k < length / 2; k++) {
        uint8_t other = way[k];
        way[k] = way[length - 1 - k];
        way[length - 1 - k] = other;
    }
    return length;
}

/* Each operation is left by another access than it was come to, as a rule. */
static void note(const struct conflicts *c, const uint8_t *way, uint32_t length, struct graph_cycle *out)
{
    out->count = 0;
    if (2 * length > GRAPH_CYCLE_MAX)
        return;
    for (uint32_t k = 0; k < length; k++) {
        const struct conflicts_edge *edge = &c->edges[way[k]][way[(k + 1) % length]],
                                    *next = &c->edges[way[(k + 1) % length]][way[(k + 2) % length]];
        out->steps[out->count++] = (struct graph_cycle_step){edge->from, edge->relation};
        if (edge->to != next->from)
            out->steps[out->count++] = (struct graph_cycle_step){edge->to, RELATION_TOGETHER};
    }
}

void conflicts_find_cycle(struct conflicts *c, struct graph_cycle *out)
{
    uint8_t way[CONFLICTS_OPS_MAX], best[CONFLICTS_OPS_MAX];
    uint32_t shortest = UINT32_MAX;
    conflicts_is_serializable_without(c, 0);
    for (uint32_t a = 0; a < c->count; a++) {
        uint32_t length = walk(c, a, way);
        if (length && length < shortest) {
            shortest = length;
            memcpy(best, way, length);
        }
    }
    note(c, best, shortest == UINT32_MAX ? 0 : shortest, out);
}
