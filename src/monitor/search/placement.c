/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/search/placement.h"

#include "base/hash.h"

static bool is_pending(const struct placement *p, uint32_t op)
{
    return p->order->ret[op] == ORDER_NEVER;
}

static void unlink_event(struct placement *p, uint32_t e)
{
    p->next[p->prev[e]] = p->next[e];
    p->prev[p->next[e]] = p->prev[e];
}

static void relink_event(struct placement *p, uint32_t e)
{
    p->next[p->prev[e]] = e;
    p->prev[p->next[e]] = e;
}

bool placement_has(const struct placement *p, uint32_t op)
{
    const uint64_t *set = is_pending(p, op) ? p->placed_pending : p->placed;
    return set[p->number[op] / 64] >> p->number[op] % 64 & 1;
}

void placement_add(struct placement *p, uint32_t op)
{
    uint32_t n = p->number[op];
    if (p->unlimited && is_pending(p, op))
        return;
    unlink_event(p, p->order->call[op]);
    if (is_pending(p, op)) {
        p->placed_pending[n / 64] |= (uint64_t)1 << n % 64;
        return;
    }
    unlink_event(p, p->order->ret[op]);
    p->placed[n / 64] |= (uint64_t)1 << n % 64;
    p->left--;
    while (p->first_open < p->completed && p->placed[p->first_open / 64] >> p->first_open % 64 & 1)
        p->first_open++;
}

void placement_remove(struct placement *p, uint32_t op)
{
    uint32_t n = p->number[op];
    if (p->unlimited && is_pending(p, op))
        return;
    if (is_pending(p, op)) {
        p->placed_pending[n / 64] &= ~((uint64_t)1 << n % 64);
    } else {
        relink_event(p, p->order->ret[op]);
        p->placed[n / 64] &= ~((uint64_t)1 << n % 64);
        p->left++;
        if (n < p->first_open)
            p->first_open = n;
    }
    relink_event(p, p->order->call[op]);
}

static void append_trimmed(struct placement *p, const uint64_t *words, size_t count)
{
    while (count > 0 && !words[count - 1])
        count--;
    vec_push(&p->key, count);
    for (size_t i = 0; i < count; i++)
        vec_push(&p->key, words[i]);
}

/* Short: everything before the first open operation is placed, nothing called after its return is. */
uint64_t placement_make_key(struct placement *p)
{
    size_t first = p->first_open / 64;
    size_t end = p->left ? ((size_t)p->window_end[p->first_open] + 63) / 64 : first;
    vec_clear(&p->key);
    vec_push(&p->key, p->first_open);
    append_trimmed(p, p->placed + first, end - first);
    append_trimmed(p, p->placed_pending, ((size_t)p->pending + 63) / 64);
    return hash_bytes(p->key.data, p->key.len * sizeof *p->key.data);
}

static size_t link_events(struct placement *p)
{
    size_t entries = (size_t)p->end + 1;
    p->next = NEW_ARRAY(uint32_t, entries);
    p->prev = NEW_ARRAY(uint32_t, entries);
    for (uint32_t e = 0; e <= p->end; e++) {
        p->next[e] = e == p->end ? 0 : e + 1;
        p->prev[e] = e == 0 ? p->end : e - 1;
    }
    return 2 * entries * sizeof *p->next;
}

static size_t number_ops(struct placement *p)
{
    const struct order *o = p->order;
    p->number = NEW_ARRAY(uint32_t, o->count);
    p->window_end = NEW_ARRAY(uint32_t, o->count);
    for (uint32_t e = 0; e < o->event_count; e++) {
        uint32_t op = order_event_op(o->event[e]);
        if (order_event_returns(o->event[e]))
            p->window_end[p->number[op]] = p->completed;
        else
            p->number[op] = is_pending(p, op) ? p->pending++ : p->completed++;
    }
    p->left = p->completed;
    p->placed = NEW_ZEROED(uint64_t, p->completed / 64 + 1);
    p->placed_pending = NEW_ZEROED(uint64_t, p->pending / 64 + 1);
    return 2 * (size_t)o->count * sizeof *p->number + o->count / 8;
}

size_t placement_start(struct placement *p, const struct order *order)
{
    p->order = order;
    p->end = order->event_count;
    size_t bytes = link_events(p);
    return bytes + number_ops(p);
}

void placement_free(struct placement *p)
{
    vec_free(&p->key);
    free(p->next);
    free(p->prev);
    free(p->number);
    free(p->window_end);
    free(p->placed);
    free(p->placed_pending);
}
