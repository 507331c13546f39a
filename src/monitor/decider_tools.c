/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/decider_tools.h"

#include "base/check.h"
#include "base/sort.h"

#include <string.h>

/* ---- heaps ---- */

void op_heaps_free(struct op_heaps *h)
{
    vec_free(&h->nodes);
    h->unused = 0;
}

uint32_t op_node_new(struct op_heaps *h, uint32_t op)
{
    struct op_node fresh = {.op = op};
    uint32_t node = h->unused;
    if (node) {
        h->unused = h->nodes.data[node].next;
        h->nodes.data[node] = fresh;
        return node;
    }
    if (!h->nodes.len)
        vec_push(&h->nodes, fresh); /* number 0 means empty */
    vec_push(&h->nodes, fresh);
    return (uint32_t)h->nodes.len - 1;
}

void op_node_release(struct op_heaps *h, uint32_t node)
{
    h->nodes.data[node].next = h->unused;
    h->unused = node;
}

static uint32_t heap_meld(struct op_heaps *h, uint32_t a, uint32_t b)
{
    struct op_node *nodes = h->nodes.data;
    if (!a || !b)
        return a ? a : b;
    if (h->ret[nodes[b].op] < h->ret[nodes[a].op]) {
        uint32_t swap = a;
        a = b;
        b = swap;
    }
    nodes[b].next = nodes[a].child;
    nodes[a].child = b;
    return a;
}

void op_heap_push(struct op_heaps *h, uint32_t *heap, uint32_t op)
{
    *heap = heap_meld(h, *heap, op_node_new(h, op));
}

static uint32_t list_take(struct op_node *nodes, uint32_t *list)
{
    uint32_t node = *list;
    if (node) {
        *list = nodes[node].next;
        nodes[node].next = 0;
    }
    return node;
}

uint32_t op_heap_pop(struct op_heaps *h, uint32_t *heap)
{
    struct op_node *nodes = h->nodes.data;
    uint32_t top = *heap, op = nodes[top].op, children = nodes[top].child, pairs = 0, root = 0;
    op_node_release(h, top);
    while (children) {
        uint32_t first = list_take(nodes, &children), second = list_take(nodes, &children);
        uint32_t pair = heap_meld(h, first, second);
        nodes[pair].next = pairs;
        pairs = pair;
    }
    while (pairs) {
        uint32_t pair = list_take(nodes, &pairs);
        root = heap_meld(h, root, pair);
    }
    *heap = root;
    return op;
}

/* ---- groups ---- */

struct groups groups_make(const uint32_t *items, uint32_t count, const uint32_t *class_of, uint32_t classes)
{
    struct groups g = {NEW_ZEROED(uint32_t, (size_t)classes + 1), NEW_ARRAY(uint32_t, count)};
    for (uint32_t k = 0; k < count; k++) {
        uint32_t class = class_of[items ? items[k] : k];
        if (class < classes)
            g.start[class + 1]++;
    }
    for (uint32_t c = 0; c < classes; c++)
        g.start[c + 1] += g.start[c];
    for (uint32_t k = 0; k < count; k++) {
        uint32_t item = items ? items[k] : k;
        if (class_of[item] < classes)
            g.items[g.start[class_of[item]]++] = item;
    }
    for (uint32_t c = classes; c > 0; c--) /* filling moved every start to its end */
        g.start[c] = g.start[c - 1];
    g.start[0] = 0;
    return g;
}

void groups_free(struct groups *g)
{
    free(g->start);
    free(g->items);
}

/* ---- placing operations without effect ---- */

/* end[i]: how many operations of the order are before or equal to i; 0: it is not in it. For an extra first the last
 * gap it can be in, later the gap it is in. */
struct placing {
    const struct part *p;
    uint32_t *end;
    uint8_t *is_extra;
    uint32_t length; /* of the order */
};

static struct placing placing_start(const struct part *p, const struct decision *d,
                                    const struct extra *extras, size_t count)
{
    struct placing s = {
        .p = p,
        .end = NEW_ZEROED(uint32_t, p->order.count),
        .is_extra = NEW_ZEROED(uint8_t, p->order.count),
        .length = (uint32_t)d->witness.len,
    };
    for (uint32_t j = 0; j < s.length; j++)
        s.end[d->witness.data[j]] = j + 1;
    for (size_t k = 0; k < count; k++)
        s.is_extra[extras[k].op] = 1;
    return s;
}

static void placing_free(struct placing *s)
{
    free(s->end);
    free(s->is_extra);
}

static void placing_find_last_gaps(struct placing *s)
{
    uint32_t last = s->length;
    for (uint32_t e = s->p->order.event_count; e-- > 0;) {
        uint32_t event = s->p->order.event[e], i = order_event_op(event);
        if (s->is_extra[i])
            s->end[i] = order_event_returns(event) ? last : s->end[i];
        else if (!order_event_returns(event) && s->end[i] - 1 < last) /* never so for 0 */
            last = s->end[i] - 1;
    }
}

/* In order of calls, each extra takes the first gap it can: that hinders the later ones least. */
static bool placing_choose_gaps(struct placing *s, const struct extra *extras, const uint32_t *colour,
                                const uint32_t *run_end)
{
    uint32_t first = 0;
    size_t next = 0;
    for (uint32_t e = 0; e < s->p->order.event_count; e++) {
        uint32_t event = s->p->order.event[e], i = order_event_op(event);
        if (order_event_returns(event)) {
            if (s->end[i] > first)
                first = s->end[i];
        } else if (s->is_extra[i]) {
            const struct extra *x = &extras[next++];
            CHECK(x->op == i);
            uint32_t gap = first;
            if (colour && colour[gap] == x->unless)
                gap = run_end[gap];
            if (gap > s->end[i])
                return false;
            s->end[i] = gap;
        }
    }
    return true;
}

/* The first later gap of another colour; beyond the last gap when there is none. */
static uint32_t *colour_run_ends(const uint32_t *colour, uint32_t length)
{
    uint32_t *run_end = NEW_ARRAY(uint32_t, (size_t)length + 1);
    run_end[length] = length + 1;
    for (uint32_t j = length; j-- > 0;)
        run_end[j] = colour[j + 1] == colour[j] ? run_end[j + 1] : j + 1;
    return run_end;
}

static void placing_merge(const struct placing *s, struct decision *d, const struct extra *extras,
                          size_t count)
{
    uint32_t *at = NEW_ARRAY(uint32_t, (size_t)s->length + 1), *next = NEW_ARRAY(uint32_t, count);
    uint32_t *merged = NEW_ARRAY(uint32_t, s->length + count);
    size_t len = 0;
    memset(at, 0xff, ((size_t)s->length + 1) * sizeof *at);
    for (size_t k = count; k-- > 0;) {
        uint32_t gap = s->end[extras[k].op];
        next[k] = at[gap];
        at[gap] = (uint32_t)k;
    }
    for (uint32_t j = 0; j <= s->length; j++) {
        for (uint32_t k = at[j]; k != TOOLS_NONE; k = next[k])
            merged[len++] = extras[k].op;
        if (j < s->length)
            merged[len++] = d->witness.data[j];
    }
    free(at);
    free(next);
    vec_free(&d->witness);
    d->witness.data = merged;
    d->witness.len = d->witness.cap = len;
}

void witness_take(struct decision *d, uint32_t **order, size_t length)
{
    d->witness.data = *order;
    d->witness.len = d->witness.cap = length;
    *order = NULL;
}

bool witness_insert(const struct part *p, struct decision *d, const struct extra *extras, size_t count,
                    const uint32_t *colour)
{
    if (!count)
        return true;
    struct placing s = placing_start(p, d, extras, count);
    uint32_t *run_end = colour ? colour_run_ends(colour, s.length) : NULL;
    placing_find_last_gaps(&s);
    bool fits = placing_choose_gaps(&s, extras, colour, run_end);
    if (fits)
        placing_merge(&s, d, extras, count);
    free(run_end);
    placing_free(&s);
    return fits;
}

/* ---- decisions and cores ---- */

enum verdict decision_not_mine(struct decision *d, const char *why)
{
    vec_free(&d->witness);
    d->why = why;
    return d->verdict = VERDICT_NONE;
}

enum verdict decision_limit(struct decision *d)
{
    vec_free(&d->witness);
    return d->verdict = VERDICT_INCONCLUSIVE;
}

enum verdict decision_holds(struct decision *d)
{
    return d->verdict = VERDICT_HOLDS;
}

enum verdict decision_violated_at(struct decision *d, uint32_t op)
{
    vec_free(&d->witness);
    vec_push(&d->core, op);
    return d->verdict = VERDICT_VIOLATED;
}

static void core_sort(struct decision *d)
{
    d->core.len = sort_distinct(d->core.data, d->core.len);
}

static void core_take_everything(const struct part *p, struct decision *d)
{
    vec_clear(&d->core);
    for (uint32_t i = 0; i < p->order.count; i++)
        vec_push(&d->core, i);
}

static bool core_is_violated(const struct part *p, const uint32_t *core, size_t count,
                             part_violated *violated)
{
    struct part q = part_restrict(p, core, (uint32_t)count);
    bool yes = violated(&q);
    part_free(&q);
    return yes;
}

enum verdict decision_violated(const struct part *p, struct decision *d, part_violated *violated)
{
    vec_free(&d->witness);
    core_sort(d);
    if (!core_is_violated(p, d->core.data, d->core.len, violated))
        core_take_everything(p, d);
    return d->verdict = VERDICT_VIOLATED;
}
