/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/container/cover.h"

#include "base/memory.h"

#define HIDDEN (INT32_MAX / 2) /* removals cannot bring it near a real count */

static inline int32_t least_below(const struct cover *c, uint32_t node)
{
    int32_t a = c->least[2 * node], b = c->least[2 * node + 1];
    return (a < b ? a : b) + c->added[node];
}

static inline void pull(struct cover *c, uint32_t node)
{
    c->least[node] = least_below(c, node);
}

void cover_create(struct cover *c, const int32_t *counts, uint32_t gaps)
{
    c->leaves = 1;
    while (c->leaves < gaps)
        c->leaves *= 2;
    c->least = NEW_ARRAY(int32_t, 2 * (size_t)c->leaves);
    c->added = NEW_ZEROED(int32_t, c->leaves);
    for (uint32_t g = 0; g < c->leaves; g++)
        c->least[c->leaves + g] = g < gaps ? counts[g] : HIDDEN;
    for (uint32_t node = c->leaves - 1; node > 0; node--)
        pull(c, node);
}

void cover_free(struct cover *c)
{
    free(c->least);
    free(c->added);
}

static inline void subtract(struct cover *c, uint32_t node)
{
    c->least[node]--;
    if (node < c->leaves)
        c->added[node]--;
}

void cover_remove(struct cover *c, uint32_t from, uint32_t to)
{
    uint32_t low = from + c->leaves, high = to + c->leaves;
    uint32_t left = low, right = high - 1;
    for (; low < high; low /= 2, high /= 2) {
        if (low & 1)
            subtract(c, low++);
        if (high & 1)
            subtract(c, --high);
    }
    for (left /= 2, right /= 2; left > 0; left /= 2, right /= 2) {
        pull(c, left);
        if (right != left)
            pull(c, right);
    }
}

uint32_t cover_hide_least(struct cover *c)
{
    uint32_t node = 1;
    while (node < c->leaves)
        node = 2 * node + (c->least[2 * node + 1] < c->least[2 * node]);
    uint32_t gap = node - c->leaves;
    c->least[node] = HIDDEN;
    for (node /= 2; node > 0 && c->least[node] != least_below(c, node); node /= 2)
        pull(c, node);
    return gap;
}

/* Runs over the nodes that make up [from, to); with items == null only counts into start. */
static void hang_interval(const struct stab *s, const struct stab_interval *x, uint32_t *place,
                          uint32_t *items)
{
    uint32_t low = x->from + s->leaves, high = x->to + s->leaves;
    for (; low < high; low /= 2, high /= 2) {
        if (low & 1) {
            if (items)
                items[place[low]] = x->item;
            place[low++]++;
        }
        if (high & 1) {
            high--;
            if (items)
                items[place[high]] = x->item;
            place[high]++;
        }
    }
}

void stab_create(struct stab *s, uint32_t gaps, const struct stab_interval *intervals, uint32_t count)
{
    s->leaves = 1;
    while (s->leaves < gaps)
        s->leaves *= 2;
    uint32_t nodes = 2 * s->leaves;
    s->start = NEW_ZEROED(uint32_t, (size_t)nodes + 1);
    s->empty = NEW_ZEROED(uint8_t, nodes);
    for (uint32_t k = 0; k < count; k++)
        hang_interval(s, &intervals[k], s->start, NULL);
    uint32_t sum = 0;
    for (uint32_t node = 0; node <= nodes; node++) {
        uint32_t size = s->start[node];
        s->start[node] = sum;
        sum += size;
    }
    s->items = NEW_ARRAY(uint32_t, sum);
    for (uint32_t k = 0; k < count; k++)
        hang_interval(s, &intervals[k], s->start, s->items);
    for (uint32_t node = nodes; node > 0; node--) /* filling moved every start to its end */
        s->start[node] = s->start[node - 1];
    s->start[0] = 0;
}

void stab_free(struct stab *s)
{
    free(s->start);
    free(s->items);
    free(s->empty);
}

void stab_gap(struct stab *s, uint32_t gap, void (*found)(void *, uint32_t, uint32_t), void *context)
{
    /* What is above an empty node was emptied with it. */
    for (uint32_t node = gap + s->leaves; node > 0 && !s->empty[node]; node /= 2) {
        s->empty[node] = 1;
        for (uint32_t k = s->start[node]; k < s->start[node + 1]; k++)
            found(context, s->items[k], gap);
    }
}
