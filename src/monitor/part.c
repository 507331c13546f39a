/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/part.h"

#include "base/check.h"
#include "monitor/quasi/quasi_items.h"
#include "spec/registry.h"

/* The position of `i` in the ascending array `chosen`, or ORDER_NO_OP. */
static uint32_t find_chosen(const uint32_t *chosen, uint32_t count, uint32_t i)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (chosen[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && chosen[low] == i ? low : ORDER_NO_OP;
}

static void append_event(struct order *o, uint32_t op, bool returns)
{
    (returns ? o->ret : o->call)[op] = o->event_count;
    o->event[o->event_count++] = op << 1 | returns;
}

static int compare_words(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Ranks few operations of many: sorts their events. */
static void rank_by_sorting(const struct order *from, struct order *o, const uint32_t *chosen)
{
    OWNED uint64_t *events = NEW_ARRAY(uint64_t, 2 * (size_t)o->count);
    size_t n = 0;
    for (uint32_t k = 0; k < o->count; k++) {
        uint32_t i = chosen[k];
        events[n++] = (uint64_t)from->call[i] << 32 | k << 1;
        if (from->ret[i] != ORDER_NEVER)
            events[n++] = (uint64_t)from->ret[i] << 32 | k << 1 | 1;
    }
    qsort(events, n, sizeof *events, compare_words);
    for (size_t e = 0; e < n; e++)
        append_event(o, order_event_op((uint32_t)events[e]), order_event_returns((uint32_t)events[e]));
}

/* Ranks a good share of the operations: filters all events. */
static void rank_by_filtering(const struct order *from, struct order *o, const uint32_t *chosen)
{
    OWNED uint32_t *new_index = NEW_ARRAY(uint32_t, from->count);
    for (uint32_t i = 0; i < from->count; i++)
        new_index[i] = ORDER_NO_OP;
    for (uint32_t k = 0; k < o->count; k++)
        new_index[chosen[k]] = k;
    for (uint32_t e = 0; e < from->event_count; e++) {
        uint32_t op = new_index[order_event_op(from->event[e])];
        if (op != ORDER_NO_OP)
            append_event(o, op, order_event_returns(from->event[e]));
    }
}

/* A predecessor that was not chosen hands its own predecessor on. */
static uint32_t *restrict_after(const struct order *from, const uint32_t *chosen, uint32_t count)
{
    if (!from->after)
        return NULL;
    uint32_t *after = NEW_ARRAY(uint32_t, count);
    bool any = false;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t before = from->after[chosen[k]];
        while (before != ORDER_NO_OP && find_chosen(chosen, count, before) == ORDER_NO_OP)
            before = from->after[before];
        after[k] = before == ORDER_NO_OP ? ORDER_NO_OP : find_chosen(chosen, count, before);
        any |= after[k] != ORDER_NO_OP;
    }
    if (any)
        return after;
    free(after);
    return NULL;
}

enum { FEW_OF_MANY = 32 };

struct part part_restrict(const struct part *p, const uint32_t *chosen, uint32_t count)
{
    struct part sub = {.spec = p->spec, .options = p->options, .history = p->history};
    uint32_t *ops = NEW_ARRAY(uint32_t, count);
    for (uint32_t k = 0; k < count; k++) {
        CHECK(chosen[k] < p->order.count && (k == 0 || chosen[k - 1] < chosen[k]));
        ops[k] = part_history_index(p, chosen[k]);
    }
    sub.ops = ops;
    struct order *o = &sub.order;
    o->count = count;
    o->call = NEW_ARRAY(uint32_t, count);
    o->ret = NEW_ARRAY(uint32_t, count);
    o->event = NEW_ARRAY(uint32_t, 2 * (size_t)count);
    for (uint32_t k = 0; k < count; k++)
        o->ret[k] = ORDER_NEVER;
    if ((uint64_t)count * FEW_OF_MANY < p->order.count)
        rank_by_sorting(&p->order, o, chosen);
    else
        rank_by_filtering(&p->order, o, chosen);
    o->after = restrict_after(&p->order, chosen, count);
    return sub;
}

/* Drops the return events of operations that return after `last` in `p`. */
static void open_late_operations(const struct part *p, struct part *cut, const uint32_t *chosen,
                                 uint32_t last)
{
    struct order *o = &cut->order;
    uint32_t kept = 0;
    for (uint32_t k = 0; k < o->count; k++)
        o->ret[k] = ORDER_NEVER;
    for (uint32_t e = 0; e < o->event_count; e++) {
        uint32_t op = order_event_op(o->event[e]);
        bool returns = order_event_returns(o->event[e]);
        if (returns && p->order.ret[chosen[op]] > last)
            continue;
        (returns ? o->ret : o->call)[op] = kept;
        o->event[kept++] = o->event[e];
    }
    o->event_count = kept;
}

struct part part_cut(const struct part *p, uint32_t last)
{
    uint32_t *chosen = NEW_ARRAY(uint32_t, p->order.count), count = 0;
    for (uint32_t i = 0; i < p->order.count; i++) {
        struct plumb_call call = part_call(p, i);
        bool is_late =
            p->order.ret[i] > last; /* optional: one without effect that none has to follow cannot matter */
        if (p->order.call[i] <= last && (!is_late || p->order.after || !spec_effect_free(p->spec, &call)))
            chosen[count++] = i;
    }
    struct part cut = part_restrict(p, chosen, count);
    open_late_operations(p, &cut, chosen, last);
    free(chosen);
    return cut;
}

void part_keep(struct part *p, const uint32_t *chosen, uint32_t count)
{
    struct part smaller = part_restrict(p, chosen, count);
    part_free(p);
    *p = smaller;
}

void part_free(struct part *p)
{
    free((void *)p->ops);
    p->ops = NULL;
    order_free(&p->order);
}

void decision_free(struct decision *d)
{
    vec_free(&d->witness);
    vec_free(&d->core);
    if (d->quasi)
        quasi_found_free(d->quasi);
    free(d->quasi);
}
