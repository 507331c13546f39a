/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/ordering_oracle.h"

#include "base/check.h"

#include <string.h>

/* ---- the five rules between points ---- */

static bool is_update_read(const struct graph *g, uint32_t e)
{
    return g->events[e].type == GRAPH_READ && g->events[e].flags & GRAPH_UPDATE;
}

/* The write of the operation, or GRAPH_NONE. */
static uint32_t write_of(const struct graph *g, uint32_t e)
{
    if (graph_is_write(&g->events[e]))
        return e;
    return is_update_read(g, e) ? g->events[e].po_after : GRAPH_NONE;
}

/* What the operation reads from, or GRAPH_NONE. */
static uint32_t source_of(const struct graph *g, uint32_t e)
{
    const struct graph_event *ev = &g->events[e];
    if (ev->type == GRAPH_READ)
        return ev->rf;
    return ev->type == GRAPH_WRITE && ev->flags & GRAPH_UPDATE ? g->events[ev->po_before].rf : GRAPH_NONE;
}

static bool in_mo(const struct graph *g, uint32_t a, uint32_t b)
{
    if (a == GRAPH_NONE || b == GRAPH_NONE || g->events[a].location != g->events[b].location)
        return false;
    for (uint32_t e = g->events[a].mo_after; e != GRAPH_NONE; e = g->events[e].mo_after)
        if (e == b)
            return true;
    return false;
}

static bool is_same_operation(const struct graph *g, uint32_t x, uint32_t y)
{
    return x == y || (write_of(g, x) != GRAPH_NONE && write_of(g, x) == write_of(g, y));
}

bool ordering_oracle_points(const struct graph *g, uint32_t x, uint32_t y)
{
    uint32_t xw = write_of(g, x), yw = write_of(g, y), xs = source_of(g, x), ys = source_of(g, y);
    if (is_same_operation(g, x, y))
        return false;
    bool reads_from = xw != GRAPH_NONE && ys == xw;
    return reads_from || in_mo(g, xw, yw) || in_mo(g, xs, yw) || in_mo(g, xw, ys) || in_mo(g, xs, ys);
}

/* ---- happens-before ---- */

typedef unsigned __int128 row;

struct relation {
    uint32_t n;
    row rows[128];
};

static row bit(uint32_t k)
{
    return (row)1 << k;
}

static void close_relation(struct relation *r)
{
    for (uint32_t k = 0; k < r->n; k++)
        for (uint32_t i = 0; i < r->n; i++)
            if (r->rows[i] & bit(k))
                r->rows[i] |= r->rows[k];
}

/* Items: the events, then the begin and the end of each call. Where an item is in its thread. */
struct item {
    uint32_t thread, index; /* marks: as many events are before it */
    uint32_t mark;          /* 0: an event; else its number, from 1 */
};

static struct item item_at(const struct ordering_case *c, uint32_t i)
{
    if (i < c->g->count)
        return (struct item){c->g->events[i].thread, c->g->events[i].index, 0};
    const struct ordering_span *s = &c->calls[(i - c->g->count) / 2].span;
    bool is_end = (i - c->g->count) % 2;
    return is_end ? (struct item){s->thread, s->end, s->end_number + 1}
                  : (struct item){s->thread, s->begin, s->begin_number + 1};
}

static bool is_sequenced(struct item a, struct item b)
{
    if (a.thread != b.thread || a.thread == GRAPH_INIT_THREAD)
        return false;
    if (a.mark && b.mark)
        return a.mark < b.mark;
    return a.index < b.index || (a.index == b.index && a.mark && !b.mark);
}

static bool releases(const struct graph_event *e)
{
    return e->order == ORDER_RELEASE || e->order == ORDER_ACQ_REL || e->order == ORDER_SEQ_CST;
}

static bool acquires(const struct graph_event *e)
{
    return e->order == ORDER_ACQUIRE || e->order == ORDER_CONSUME || e->order == ORDER_ACQ_REL ||
           e->order == ORDER_SEQ_CST;
}

static bool in_thread_before(const struct graph *g, uint32_t a, uint32_t b)
{
    return g->events[a].thread == g->events[b].thread && g->events[a].index < g->events[b].index;
}

/* Does a read of w see what e releases? e: w itself, a fence before it, or such a thing of a write that an update chain leads from to w. */
static bool publishes(const struct graph *g, uint32_t e, uint32_t w)
{
    for (;; w = g->events[g->events[w].po_before].rf) {
        if (g->events[w].type == GRAPH_WRITE && releases(&g->events[e])) {
            if (e == w)
                return true;
            if (g->events[e].type == GRAPH_FENCE && in_thread_before(g, e, w))
                return true;
        }
        if (g->events[w].type != GRAPH_WRITE || !(g->events[w].flags & GRAPH_UPDATE))
            return false;
    }
}

/* Does e acquire what read r finds? */
static bool obtains(const struct graph *g, uint32_t e, uint32_t r)
{
    return acquires(&g->events[e]) &&
           (e == r || (g->events[e].type == GRAPH_FENCE && in_thread_before(g, r, e)));
}

static bool synchronizes(const struct graph *g, uint32_t a, uint32_t b)
{
    for (uint32_t r = 0; r < g->count; r++)
        if (g->events[r].type == GRAPH_READ && obtains(g, b, r) && publishes(g, a, g->events[r].rf))
            return true;
    return false;
}

static bool starts_or_awaits(const struct graph *g, uint32_t a, uint32_t b)
{
    const struct graph_event *from = &g->events[a], *to = &g->events[b];
    return (from->type == GRAPH_CREATE && to->type == GRAPH_BEGIN && from->address == to->thread) ||
           (from->type == GRAPH_END && to->type == GRAPH_JOIN && to->address == from->thread);
}

static void find_happens_before(const struct ordering_case *c, struct ordering_expected *x)
{
    const struct graph *g = c->g;
    struct relation hb = {.n = g->count + 2 * c->count};
    for (uint32_t i = 0; i < hb.n; i++)
        for (uint32_t k = 0; k < hb.n; k++) {
            bool events = i < g->count && k < g->count;
            if (is_sequenced(item_at(c, i), item_at(c, k)) ||
                (events && (synchronizes(g, i, k) || starts_or_awaits(g, i, k))))
                hb.rows[i] |= bit(k);
        }
    close_relation(&hb);
    for (uint32_t a = 0; a < c->count; a++)
        for (uint32_t b = 0; b < c->count; b++)
            if (hb.rows[g->count + 2 * a] & bit(g->count + 2 * b + 1))
                x->happens_before[a] |= UINT64_C(1) << b;
}

/* ---- nodes ---- */

static bool takes_part(const struct case_call *c)
{
    return c->completed || c->event_count > 0;
}

static bool share(const struct ordering_case *c, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < c->calls[a].event_count; i++)
        for (uint32_t k = 0; k < c->calls[b].event_count; k++)
            if (is_same_operation(c->g, c->calls[a].events[i], c->calls[b].events[k]))
                return true;
    return false;
}

static bool are_ordered(const struct ordering_case *c, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < c->calls[a].event_count; i++)
        for (uint32_t k = 0; k < c->calls[b].event_count; k++)
            if (ordering_oracle_points(c->g, c->calls[a].events[i], c->calls[b].events[k]))
                return true;
    return false;
}

static void close_matrix(bool m[CASE_CALLS][CASE_CALLS])
{
    for (uint32_t k = 0; k < CASE_CALLS; k++)
        for (uint32_t i = 0; i < CASE_CALLS; i++)
            for (uint32_t j = 0; j < CASE_CALLS; j++)
                m[i][j] |= m[i][k] && m[k][j];
}

static void find_nodes(const struct ordering_case *c, struct ordering_expected *x)
{
    bool together[CASE_CALLS][CASE_CALLS] = {{false}};
    for (uint32_t a = 0; a < c->count; a++)
        for (uint32_t b = 0; b < c->count; b++)
            together[a][b] = a == b || share(c, a, b);
    close_matrix(together);
    for (uint32_t a = 0; a < c->count; a++) {
        uint32_t least = 0;
        while (!together[a][least])
            least++;
        x->node_of[a] = !takes_part(&c->calls[a]) ? CASE_CALLS
                        : least == a              ? x->node_count++
                                                  : x->node_of[least];
    }
}

/* The number of edges of the shortest cycle: the first power of the relation with a loop. */
static uint32_t shortest_cycle(const struct ordering_expected *x)
{
    bool power[CASE_CALLS][CASE_CALLS], next[CASE_CALLS][CASE_CALLS];
    memcpy(power, x->edge, sizeof power);
    for (uint32_t length = 1; length <= CASE_CALLS; length++) {
        for (uint32_t i = 0; i < CASE_CALLS; i++)
            if (power[i][i])
                return length;
        memset(next, 0, sizeof next);
        for (uint32_t i = 0; i < CASE_CALLS; i++)
            for (uint32_t j = 0; j < CASE_CALLS; j++)
                for (uint32_t k = 0; k < CASE_CALLS; k++)
                    next[i][j] |= power[i][k] && x->edge[k][j];
        memcpy(power, next, sizeof power);
    }
    return 0;
}

void ordering_oracle_relate(const struct ordering_case *c, struct ordering_expected *x)
{
    CHECK(c->g->count <= CASE_EVENTS);
    memset(x, 0, sizeof *x);
    find_happens_before(c, x);
    find_nodes(c, x);
    for (uint32_t a = 0; a < c->count; a++)
        for (uint32_t b = 0; b < c->count; b++)
            if (takes_part(&c->calls[a]) && takes_part(&c->calls[b]) && x->node_of[a] != x->node_of[b] &&
                are_ordered(c, a, b))
                x->edge[x->node_of[a]][x->node_of[b]] = true;
    memcpy(x->closure, x->edge, sizeof x->closure);
    close_matrix(x->closure);
    x->cycle_length = shortest_cycle(x);
}

/* ---- histories ---- */

/* The calls of a node as they ended. */
static uint32_t members(const struct ordering_case *c, const struct ordering_expected *x, uint32_t node,
                        uint32_t *list)
{
    uint32_t count = 0;
    for (uint32_t a = 0; a < c->count; a++) {
        if (x->node_of[a] != node)
            continue;
        uint32_t at = count++;
        for (; at > 0 && c->calls[list[at - 1]].span.end_number > c->calls[a].span.end_number; at--)
            list[at] = list[at - 1];
        list[at] = a;
    }
    return count;
}

bool ordering_oracle_run(const struct ordering_case *c, const struct ordering_expected *x, uint32_t node,
                         uint32_t *failed, bool *failed_pre)
{
    uint32_t list[CASE_CALLS], count = members(c, x, node, list);
    const struct ordering_machine *m = c->machine;
    for (uint32_t k = 0; k < count; k++)
        if (!m->pre(m->context, list[k])) {
            *failed = list[k];
            *failed_pre = true;
            return false;
        }
    for (uint32_t k = 0; k < count; k++)
        m->effect(m->context, list[k]);
    for (uint32_t k = 0; k < count; k++)
        if (c->calls[list[k]].completed && !m->post(m->context, list[k])) {
            *failed = list[k];
            *failed_pre = false;
            return false;
        }
    return true;
}

struct permutation {
    uint32_t nodes[CASE_CALLS], length;
    bool used[CASE_CALLS];
};

/* How many nodes of the permutation can be run one after the other. */
static uint32_t run_permutation(const struct ordering_case *c, const struct ordering_expected *x,
                                const struct permutation *p, uint32_t *failed, bool *failed_pre)
{
    uint32_t k = 0;
    c->machine->reset(c->machine->context);
    while (k < p->length && ordering_oracle_run(c, x, p->nodes[k], failed, failed_pre))
        k++;
    return k;
}

static uint32_t list_calls(const struct ordering_case *c, const struct ordering_expected *x,
                           const struct permutation *p, uint32_t nodes, uint32_t *order)
{
    uint32_t length = 0;
    for (uint32_t k = 0; k < nodes; k++)
        length += members(c, x, p->nodes[k], order + length);
    return length;
}

static void note_permutation(const struct ordering_case *c, struct ordering_expected *x,
                             const struct permutation *p)
{
    struct failing_order found = {.exists = true};
    uint32_t legal = run_permutation(c, x, p, &found.failed, &found.failed_pre);
    found.length = list_calls(c, x, p, legal, found.order);
    if (legal == p->length && !x->legal) {
        x->legal = true;
        x->legal_length = found.length;
        memcpy(x->legal_order, found.order, sizeof found.order);
    }
    if (legal == p->length)
        return;
    if (!x->first.exists)
        x->first = found;
    if (!x->longest.exists || found.length > x->longest.length)
        x->longest = found;
}

static void permute(const struct ordering_case *c, struct ordering_expected *x, struct permutation *p)
{
    if (p->length == x->node_count)
        note_permutation(c, x, p);
    for (uint32_t v = 0; v < x->node_count; v++) {
        bool is_free = !p->used[v];
        for (uint32_t u = 0; u < x->node_count; u++)
            is_free &= p->used[u] || !x->edge[u][v];
        if (!is_free)
            continue;
        p->used[v] = true;
        p->nodes[p->length++] = v;
        permute(c, x, p);
        p->length--;
        p->used[v] = false;
    }
}

/* ---- rules ---- */

static bool breaks(const struct ordering_case *c, const struct ordering_expected *x,
                   const struct ordering_rule *rule, uint32_t a, uint32_t b)
{
    const struct case_call *from = &c->calls[a], *to = &c->calls[b];
    if (!from->completed || !to->completed || from->interface != rule->from || to->interface != rule->to)
        return false;
    if (rule->from_condition && !(from->conditions & rule->from_condition))
        return false;
    if (rule->to_condition && !(to->conditions & rule->to_condition))
        return false;
    if (from->id != to->id || from->object != to->object)
        return false;
    return x->closure[x->node_of[a]][x->node_of[b]] && !(x->happens_before[a] >> b & 1);
}

void ordering_oracle_judge(const struct ordering_case *c, struct ordering_expected *x)
{
    struct permutation p = {.length = 0};
    permute(c, x, &p);
    for (uint32_t r = 0; r < c->rule_count && !x->broken; r++)
        for (uint32_t a = 0; a < c->count && !x->broken; a++)
            for (uint32_t b = 0; b < c->count && !x->broken; b++)
                if (breaks(c, x, &c->rules[r], a, b)) {
                    x->broken = true;
                    x->rule = r;
                    x->earlier = a;
                    x->later = b;
                }
}

/* ---- calls that do not commute ---- */

static bool is_legal(const struct ordering_case *c, const struct ordering_expected *x,
                     const struct permutation *p)
{
    uint32_t failed;
    bool failed_pre;
    return run_permutation(c, x, p, &failed, &failed_pre) == p->length;
}

/* `p` is complete: with a and b as neighbours, in this order or the other. */
static bool exchange_matters(const struct ordering_case *c, const struct ordering_expected *x,
                             struct permutation p, uint32_t a, uint32_t b)
{
    for (uint32_t k = 0; k + 1 < p.length; k++)
        if (p.nodes[k] == a && p.nodes[k + 1] == b) {
            bool legal = is_legal(c, x, &p);
            p.nodes[k] = b;
            p.nodes[k + 1] = a;
            return legal != is_legal(c, x, &p);
        }
    return false;
}

static bool some_exchange_matters(const struct ordering_case *c, const struct ordering_expected *x,
                                  struct permutation *p, uint32_t a, uint32_t b)
{
    if (p->length == x->node_count)
        return exchange_matters(c, x, *p, a, b);
    for (uint32_t v = 0; v < x->node_count; v++) {
        bool is_free = !p->used[v], found;
        for (uint32_t u = 0; u < x->node_count; u++)
            is_free &= p->used[u] || !x->edge[u][v];
        if (!is_free)
            continue;
        p->used[v] = true;
        p->nodes[p->length++] = v;
        found = some_exchange_matters(c, x, p, a, b);
        p->length--;
        p->used[v] = false;
        if (found)
            return true;
    }
    return false;
}

bool ordering_oracle_matters(const struct ordering_case *c, const struct ordering_expected *x, uint32_t a,
                             uint32_t b)
{
    struct permutation p = {.length = 0};
    return !x->closure[a][b] && !x->closure[b][a] && some_exchange_matters(c, x, &p, a, b);
}
