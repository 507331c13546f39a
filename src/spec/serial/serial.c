/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/serial/serial.h"

#include "base/check.h"

#include <string.h>

static uint32_t add_node(struct serials *s)
{
    vec_push(&s->nodes, ((struct serial_node){.edges = SERIAL_NOWHERE}));
    return (uint32_t)s->nodes.len - 1;
}

void serials_init(struct serials *s, struct plumb_values *values)
{
    *s = (struct serials){.values = values};
    add_node(s);
}

void serials_free(struct serials *s)
{
    for (size_t t = 0; t < s->threads.len; t++)
        vec_free(&s->threads.data[t].ops);
    vec_free(&s->threads);
    vec_free(&s->nodes);
    vec_free(&s->edges);
}

uint32_t serials_add_thread(struct serials *s, uint32_t name)
{
    CHECK(s->threads.len < SERIAL_THREADS_MAX);
    vec_push(&s->threads, ((struct serial_thread){.name = name}));
    return (uint32_t)s->threads.len - 1;
}

uint32_t serials_find_thread(const struct serials *s, int64_t name)
{
    for (uint32_t t = 0; t < s->threads.len; t++)
        if (s->threads.data[t].name == name)
            return t;
    return SERIAL_NO_THREAD;
}

void serials_add_op(struct serials *s, uint32_t thread, const char *name, plumb_value arg)
{
    vec_push(&s->threads.data[thread].ops, ((struct serial_op){name, arg}));
}

/* ------------------------------------------------------------------ growing */

static uint32_t find_edge(const struct serials *s, uint32_t node, uint32_t thread, plumb_value result)
{
    uint32_t e = s->nodes.data[node].edges;
    while (e != SERIAL_NOWHERE && (s->edges.data[e].thread != thread || s->edges.data[e].result != result))
        e = s->edges.data[e].next;
    return e;
}

static uint32_t step(struct serials *s, uint32_t node, const struct serial_step *step)
{
    uint32_t e = find_edge(s, node, step->thread, step->result);
    if (e != SERIAL_NOWHERE)
        return s->edges.data[e].to;
    uint32_t to = add_node(s);
    vec_push(&s->edges, ((struct serial_edge){step->result, step->thread, to, s->nodes.data[node].edges}));
    s->nodes.data[node].edges = (uint32_t)s->edges.len - 1;
    return to;
}

bool serials_add(struct serials *s, const struct serial_step *steps, size_t count, uint32_t waiting)
{
    uint32_t at = SERIAL_ROOT;
    for (size_t i = 0; i < count; i++)
        at = step(s, at, &steps[i]);
    struct serial_node *n = &s->nodes.data[at];
    bool is_new;
    if (waiting == SERIAL_NO_THREAD) {
        is_new = !n->ends;
        n->ends = 1;
        s->complete += is_new;
    } else {
        is_new = !(n->waits >> waiting & 1);
        n->waits |= UINT64_C(1) << waiting;
        s->stuck += is_new;
    }
    return is_new;
}

uint32_t serials_follow(const struct serials *s, uint32_t node, uint32_t thread, plumb_value result,
                        unsigned choice, plumb_value *answer)
{
    for (uint32_t e = s->nodes.data[node].edges; e != SERIAL_NOWHERE; e = s->edges.data[e].next) {
        const struct serial_edge *edge = &s->edges.data[e];
        if (edge->thread != thread || (result != PLUMB_ANY && result != edge->result))
            continue;
        if (choice--)
            continue;
        if (answer)
            *answer = edge->result;
        return edge->to;
    }
    return SERIAL_NOWHERE;
}

/* ------------------------------------------------------------------ folding */

/* Edges in an order that does not depend on how they were found. */
static bool comes_before(const struct serials *s, const struct serial_edge *a, const struct serial_edge *b)
{
    if (a->thread != b->thread)
        return a->thread < b->thread;
    return plumb_compare(s->values, a->result, b->result) < 0;
}

static void sort_edges(struct serials *s, struct serial_node *n)
{
    uint32_t sorted = SERIAL_NOWHERE;
    for (uint32_t e = n->edges, next; e != SERIAL_NOWHERE; e = next) {
        next = s->edges.data[e].next;
        uint32_t *place = &sorted;
        while (*place != SERIAL_NOWHERE && comes_before(s, &s->edges.data[*place], &s->edges.data[e]))
            place = &s->edges.data[*place].next;
        s->edges.data[e].next = *place;
        *place = e;
    }
    n->edges = sorted;
}

static uint64_t hash_node(const struct serials *s, const struct serial_node *n)
{
    uint64_t h = hash_combine(n->waits, n->ends);
    for (uint32_t e = n->edges; e != SERIAL_NOWHERE; e = s->edges.data[e].next) {
        const struct serial_edge *edge = &s->edges.data[e];
        h = hash_combine(hash_combine(h, edge->result), (uint64_t)edge->thread << 32 | edge->to);
    }
    return h;
}

static bool are_equal(const struct serials *s, const struct serial_node *a, const struct serial_node *b)
{
    uint32_t i = a->edges, k = b->edges;
    while (i != SERIAL_NOWHERE && k != SERIAL_NOWHERE) {
        const struct serial_edge *x = &s->edges.data[i], *y = &s->edges.data[k];
        if (x->thread != y->thread || x->result != y->result || x->to != y->to)
            return false;
        i = x->next;
        k = y->next;
    }
    return i == k && a->waits == b->waits && a->ends == b->ends;
}

/* From the last node to the first: what a node leads to has got its final number before. */
void serials_fold(struct serials *s)
{
    struct hash_map seen = {0};
    OWNED uint32_t *same = NEW_ARRAY(uint32_t, s->nodes.len), *next = NEW_ARRAY(uint32_t, s->nodes.len);
    for (uint32_t i = (uint32_t)s->nodes.len; i-- > 0;) {
        struct serial_node *n = &s->nodes.data[i];
        sort_edges(s, n);
        for (uint32_t e = n->edges; e != SERIAL_NOWHERE; e = s->edges.data[e].next)
            s->edges.data[e].to = same[s->edges.data[e].to];
        uint32_t *first = hash_map_at(&seen, hash_node(s, n)), k = *first;
        while (k != HASH_NO_NUMBER && !are_equal(s, &s->nodes.data[k], n))
            k = next[k];
        same[i] = k == HASH_NO_NUMBER ? i : k;
        if (k == HASH_NO_NUMBER) {
            next[i] = *first;
            *first = i;
        }
    }
    hash_map_free(&seen);
}

/* ------------------------------------------------------------------ looking */

static bool differs_at(const struct serials *s, uint32_t node, struct serial_difference *d)
{
    const struct serial_node *n = &s->nodes.data[node];
    for (uint32_t e = n->edges; e != SERIAL_NOWHERE; e = s->edges.data[e].next) {
        const struct serial_edge *edge = &s->edges.data[e];
        d->thread = edge->thread;
        d->first = edge->result;
        d->second_waits = n->waits >> edge->thread & 1;
        if (d->second_waits)
            return true;
        for (uint32_t k = edge->next; k != SERIAL_NOWHERE; k = s->edges.data[k].next)
            if (s->edges.data[k].thread == edge->thread) {
                d->second = s->edges.data[k].result;
                return true;
            }
    }
    return false;
}

static bool search_difference(const struct serials *s, uint32_t node, uint8_t *visited,
                              struct serial_difference *d)
{
    if (visited[node])
        return false;
    visited[node] = 1;
    if (differs_at(s, node, d))
        return true;
    for (uint32_t e = s->nodes.data[node].edges; e != SERIAL_NOWHERE; e = s->edges.data[e].next) {
        const struct serial_edge *edge = &s->edges.data[e];
        vec_push(&d->before, ((struct serial_step){edge->thread, edge->result}));
        if (search_difference(s, edge->to, visited, d))
            return true;
        d->before.len--;
    }
    return false;
}

bool serials_find_difference(const struct serials *s, struct serial_difference *d)
{
    *d = (struct serial_difference){0};
    OWNED uint8_t *visited = NEW_ARRAY(uint8_t, s->nodes.len);
    memset(visited, 0, s->nodes.len);
    return search_difference(s, SERIAL_ROOT, visited, d);
}

struct walk {
    const struct serials *s;
    serials_visitor *visit;
    void *context;
    VEC(struct serial_step) steps;
};

static void walk_from(struct walk *w, uint32_t node)
{
    const struct serial_node *n = &w->s->nodes.data[node];
    if (n->ends)
        w->visit(w->context, w->steps.data, w->steps.len, SERIAL_NO_THREAD);
    for (uint32_t t = 0; t < w->s->threads.len; t++)
        if (n->waits >> t & 1)
            w->visit(w->context, w->steps.data, w->steps.len, t);
    for (uint32_t e = n->edges; e != SERIAL_NOWHERE; e = w->s->edges.data[e].next) {
        const struct serial_edge *edge = &w->s->edges.data[e];
        vec_push(&w->steps, ((struct serial_step){edge->thread, edge->result}));
        walk_from(w, edge->to);
        w->steps.len--;
    }
}

void serials_visit(const struct serials *s, serials_visitor *visit, void *context)
{
    struct walk w = {s, visit, context, {0}};
    walk_from(&w, SERIAL_ROOT);
    vec_free(&w.steps);
}
