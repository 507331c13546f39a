/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/container/gaps.h"

void gaps_find(struct gaps *g, const struct order *o)
{
    g->before = NEW_ARRAY(uint32_t, o->event_count);
    g->count = 0;
    for (uint32_t e = 0; e < o->event_count; e++) {
        g->before[e] = g->count;
        bool call = !order_event_returns(o->event[e]);
        bool last = e + 1 == o->event_count;
        if (call && (last || order_event_returns(o->event[e + 1])))
            g->count++;
    }
}

void gaps_free(struct gaps *g)
{
    free(g->before);
}

void gaps_convert_values(const struct gaps *g, const struct container *c, struct container_value *out)
{
    for (uint32_t v = 0; v < c->value_count; v++) {
        out[v] = c->values[v];
        out[v].ac = gap_index(g, out[v].ac, c->events);
        out[v].ar = gap_index(g, out[v].ar, c->events);
        out[v].dc = gap_index(g, out[v].dc, c->events);
        out[v].dr = gap_index(g, out[v].dr, c->events);
    }
}

/* ------------------------------------------------------------------ sets of gaps: one bit each, 64-ary summaries */

void gap_set_create(struct gap_set *s, uint32_t size)
{
    *s = (struct gap_set){.size = size};
    size_t words = size;
    do {
        words = words / 64 + 1;
        s->levels[s->depth++] = NEW_ZEROED(uint64_t, words);
    } while (words > 1);
}

void gap_set_free(struct gap_set *s)
{
    for (unsigned level = 0; level < s->depth; level++)
        free(s->levels[level]);
}

void gap_set_add(struct gap_set *s, uint32_t g)
{
    for (unsigned level = 0; level < s->depth; level++, g /= 64)
        s->levels[level][g / 64] |= (uint64_t)1 << g % 64;
}

void gap_set_remove(struct gap_set *s, uint32_t g)
{
    for (unsigned level = 0; level < s->depth; level++, g /= 64) {
        s->levels[level][g / 64] &= ~((uint64_t)1 << g % 64);
        if (s->levels[level][g / 64])
            return;
    }
}

static uint32_t first_below(const struct gap_set *s, unsigned level, uint32_t g)
{
    while (level-- > 0)
        g = g * 64 + (uint32_t)__builtin_ctzll(s->levels[level][g]);
    return g;
}

uint32_t gap_set_next(const struct gap_set *s, uint32_t g)
{
    for (unsigned level = 0; level < s->depth; level++) {
        uint64_t word = s->levels[level][g / 64] & ~(uint64_t)0 << g % 64;
        if (word)
            return first_below(s, level, g / 64 * 64 + (uint32_t)__builtin_ctzll(word));
        g = g / 64 + 1; /* every level has a word more than it needs */
    }
    return NO_GAP;
}

static uint32_t last_below(const struct gap_set *s, unsigned level, uint32_t g)
{
    while (level-- > 0)
        g = g * 64 + 63 - (uint32_t)__builtin_clzll(s->levels[level][g]);
    return g;
}

uint32_t gap_set_last(const struct gap_set *s, uint32_t g)
{
    for (unsigned level = 0; level < s->depth; level++) {
        uint64_t word = g % 64 ? s->levels[level][g / 64] & (((uint64_t)1 << g % 64) - 1) : 0;
        if (word)
            return last_below(s, level, g / 64 * 64 + 63 - (uint32_t)__builtin_clzll(word));
        g /= 64;
    }
    return NO_GAP;
}
