/* SPDX-License-Identifier: Apache-2.0 */
#include "ordering/ordering_nodes.h"

#include "base/memory.h"

/* --- calls that share points ------------------------------------------------------------------------ */

static bool share_point(const struct ordering_call *a, const struct ordering_call *b)
{
    for (uint32_t i = 0; i < a->point_count; i++)
        for (uint32_t k = 0; k < b->point_count; k++)
            if (a->points[i].event == b->points[k].event)
                return true;
    return false;
}

static void join_groups(uint8_t *group, uint32_t count, uint32_t a, uint32_t b)
{
    uint8_t from = group[a] > group[b] ? group[a] : group[b], to = group[a] < group[b] ? group[a] : group[b];
    for (uint32_t c = 0; c < count; c++)
        if (group[c] == from)
            group[c] = to;
}

/* Which events it has among its points, in a few bits. */
static uint64_t event_bits(const struct ordering_call *c)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < c->point_count; i++)
        bits |= ordering_bit(c->points[i].event % 64);
    return bits;
}

/* The group of a call is its smallest call. */
static void find_groups(const struct ordering_question *q, uint8_t *group)
{
    uint64_t bits[ORDERING_CALLS_MAX];
    for (uint32_t b = 0; b < q->count; b++) {
        group[b] = (uint8_t)b;
        bits[b] = event_bits(&q->calls[b]);
        for (uint32_t a = 0; a < b; a++)
            if (bits[a] & bits[b] && group[a] != group[b] && share_point(&q->calls[a], &q->calls[b]))
                join_groups(group, b + 1, a, b);
    }
}

/* The calls of a group as they ended. */
static void add_calls(const struct ordering_question *q, struct ordering_nodes *n, const uint8_t *group,
                      uint32_t name)
{
    uint32_t first = n->first[n->count], end = first;
    for (uint32_t c = name; c < q->count; c++) {
        if (group[c] != name)
            continue;
        uint32_t at = end++;
        for (; at > first && q->calls[n->calls[at - 1]].end_number > q->calls[c].end_number; at--)
            n->calls[at] = n->calls[at - 1];
        n->calls[at] = (uint8_t)c;
        n->node_of[c] = (uint8_t)n->count;
    }
    n->first[++n->count] = (uint8_t)end;
}

static void find_members(const struct ordering_question *q, struct ordering_nodes *n)
{
    uint8_t group[ORDERING_CALLS_MAX];
    find_groups(q, group);
    n->count = 0;
    n->first[0] = 0;
    for (uint32_t c = 0; c < q->count; c++) {
        if (!q->calls[c].completed && q->calls[c].point_count == 0)
            n->node_of[c] = ORDERING_NO_NODE;
        else if (group[c] == c)
            add_calls(q, n, group, c);
    }
}

/* --- edges ------------------------------------------------------------------------------------------ */

/* The points of a node at one location. */
struct extent {
    uint32_t node, location, least, most;
};

struct extents {
    struct extent *list;
    uint32_t count;
};

static void add_point(struct extents *x, uint32_t from, uint32_t node, const struct ordering_point *p)
{
    for (uint32_t k = from; k < x->count; k++) {
        struct extent *e = &x->list[k];
        if (e->location != p->location)
            continue;
        e->least = p->key < e->least ? p->key : e->least;
        e->most = p->key > e->most ? p->key : e->most;
        return;
    }
    x->list[x->count++] = (struct extent){node, p->location, p->key, p->key};
}

static void add_extents(const struct ordering_question *q, const struct ordering_nodes *n, struct extents *x)
{
    for (uint32_t node = 0; node < n->count; node++) {
        uint32_t from = x->count;
        for (uint32_t k = n->first[node]; k < n->first[node + 1]; k++) {
            const struct ordering_call *c = &q->calls[n->calls[k]];
            for (uint32_t p = 0; p < c->point_count; p++)
                add_point(x, from, node, &c->points[p]);
        }
    }
}

static void find_edges(const struct ordering_question *q, struct ordering_nodes *n)
{
    uint32_t points = 1;
    for (uint32_t c = 0; c < q->count; c++)
        points += q->calls[c].point_count;
    OWNED struct extent *list = NEW_ARRAY(struct extent, points);
    struct extents x = {list, 0};
    add_extents(q, n, &x);
    for (uint32_t node = 0; node < n->count; node++)
        n->earlier[node] = 0;
    for (uint32_t a = 0; a < x.count; a++)
        for (uint32_t b = 0; b < x.count; b++)
            if (list[a].location == list[b].location && list[a].node != list[b].node &&
                list[a].least < list[b].most)
                n->earlier[list[b].node] |= ordering_bit(list[a].node);
}

static void find_closure(struct ordering_nodes *n)
{
    for (uint32_t node = 0; node < n->count; node++)
        n->closure[node] = n->earlier[node];
    for (uint32_t middle = 0; middle < n->count; middle++)
        for (uint32_t node = 0; node < n->count; node++)
            if (n->closure[node] & ordering_bit(middle))
                n->closure[node] |= n->closure[middle];
}

void ordering_find_nodes(const struct ordering_question *q, struct ordering_nodes *n)
{
    find_members(q, n);
    find_edges(q, n);
    find_closure(n);
}

/* --- cycles ----------------------------------------------------------------------------------------- */

/* The shortest way from a node to itself, breadth first: the nodes on it, `length` of them. */
static bool find_round(const struct ordering_nodes *n, uint32_t start, uint32_t *round, uint32_t *length)
{
    uint8_t queue[ORDERING_CALLS_MAX], before[ORDERING_CALLS_MAX];
    uint32_t head = 0, tail = 0;
    uint64_t seen = 0;
    queue[tail++] = (uint8_t)start;
    for (; head < tail && !(n->earlier[start] & ordering_bit(queue[head])); head++)
        for (uint32_t next = 0; next < n->count; next++)
            if (n->earlier[next] & ordering_bit(queue[head]) && !(seen & ordering_bit(next))) {
                seen |= ordering_bit(next);
                before[next] = queue[head];
                queue[tail++] = (uint8_t)next;
            }
    if (head == tail)
        return false;
    uint32_t many = 1;
    for (uint32_t v = queue[head]; v != start; v = before[v])
        many++;
    *length = many;
    for (uint32_t v = queue[head]; v != start; v = before[v])
        round[--many] = v;
    round[0] = start;
    return true;
}

bool ordering_find_cycle(const struct ordering_nodes *n, uint32_t *cycle, uint32_t *length)
{
    uint32_t round[ORDERING_CALLS_MAX], many;
    *length = UINT32_MAX;
    for (uint32_t v = 0; v < n->count; v++)
        if (n->closure[v] & ordering_bit(v) && find_round(n, v, round, &many) && many < *length) {
            *length = many;
            memcpy(cycle, round, many * sizeof *round);
        }
    return *length != UINT32_MAX;
}
