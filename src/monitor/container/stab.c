/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/container/stab.h"

#include "base/memory.h"

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
    for (uint32_t node = gap + s->leaves; node > 0; node /= 2) {
        if (s->empty[node])
            continue;
        s->empty[node] = 1;
        for (uint32_t k = s->start[node]; k < s->start[node + 1]; k++)
            found(context, s->items[k], gap);
    }
}
