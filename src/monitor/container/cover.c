/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/container/cover.h"

#include "base/memory.h"

#define HIDDEN (INT32_MAX / 2) /* removals cannot bring it near a real count */

static inline void pull(struct cover *c, uint32_t node)
{
    int32_t a = c->least[2 * node], b = c->least[2 * node + 1];
    c->least[node] = (a < b ? a : b) + c->added[node];
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
    for (node /= 2; node > 0; node /= 2)
        pull(c, node);
    return gap;
}
