/* SPDX-License-Identifier: Apache-2.0 */

#include "base/memory.h"
#include "monitor/container/container.h"
#include "monitor/core/core.h"
#include "monitor/search/search.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ removals for which there is nothing */

static uint32_t count_unremoved(const struct part *p)
{
    uint32_t added = 0, removed = 0;
    for (uint32_t i = 0; i < p->order.count; i++) {
        enum plumb_role role = part_role(p, i);
        plumb_value result = part_op(p, i)->result;
        bool answered = p->order.ret[i] != ORDER_NEVER && result != PLUMB_NONE && result != PLUMB_ANY;
        added += role == PLUMB_ADDS;
        removed += role == PLUMB_REMOVES && answered;
    }
    return added > removed ? added - removed : 0;
}

/* How many pending removals of this kind were called before `i`. */
static uint32_t count_earlier(const struct part *p, uint32_t i)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < p->order.count; k++)
        count += p->order.ret[k] == ORDER_NEVER && part_op(p, k)->op == part_op(p, i)->op &&
                 p->order.call[k] < p->order.call[i];
    return count;
}

void core_drop_surplus_removals(struct part *p)
{
    uint32_t *chosen = NEW_ARRAY(uint32_t, p->order.count), count = 0;
    uint32_t most = count_unremoved(p);
    for (uint32_t i = 0; i < p->order.count; i++) {
        bool removes = part_role(p, i) == PLUMB_REMOVES;
        bool pending = removes && part_op(p, i)->pending;
        if (!pending || count_earlier(p, i) < most)
            chosen[count++] = i;
    }
    /* Program order may tie one of them to something. */
    if (count && count < p->order.count && !p->order.after)
        part_keep(p, chosen, count);
    free(chosen);
}

/* ------------------------------------------------------------------ what makes no difference */

struct sieve {
    const struct part *prefix; /* the core before the return that ends it */
    const void *initial;
    struct budget *budget;
    uint8_t *needed; /* per operation */
    uint32_t *chosen;
};

static uint32_t collect_needed(struct sieve *s)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->prefix->order.count; i++)
        if (s->needed[i])
            s->chosen[count++] = i;
    return count;
}

/* Is the prefix legal with what is needed? Then only what its order uses is. */
static bool narrow(struct sieve *s)
{
    uint32_t count = collect_needed(s);
    struct part sub = part_restrict(s->prefix, s->chosen, count);
    struct decision d = {0};
    bool legal = search_decide(&sub, s->initial, s->budget, &d) == VERDICT_HOLDS;
    for (uint32_t k = 0; k < count && legal; k++)
        s->needed[s->chosen[k]] = sub.order.ret[k] != ORDER_NEVER;
    for (size_t k = 0; k < d.witness.len && legal; k++)
        s->needed[s->chosen[d.witness.data[k]]] = 1;
    decision_free(&d);
    part_free(&sub);
    return legal;
}

enum { SIEVE_MOST = 200 }; /* operations: beyond that only what one order uses is looked for */

static bool sift(struct sieve *s)
{
    uint32_t count = s->prefix->order.count;
    memset(s->needed, 1, count);
    if (!narrow(s))
        return false;
    for (uint32_t i = 0; i < count && count <= SIEVE_MOST; i++) {
        if (!s->needed[i] || s->prefix->order.ret[i] != ORDER_NEVER)
            continue;
        s->needed[i] = 0;
        if (!narrow(s))
            s->needed[i] = 1;
    }
    return true;
}

/* The last event is the return at which no order is left. */
static bool ends_with_return(const struct order *o)
{
    return o->event_count > 1 && order_event_returns(o->event[o->event_count - 1]);
}

enum { DRAWN = 3 }; /* so many optional operations do not clutter a picture */

static bool has_many_optional(const struct part *p)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->order.count; i++)
        count += p->order.ret[i] == ORDER_NEVER;
    return count > DRAWN;
}

/* Does the answer of `guilty` look as if it came from `i`? Then a reader asks for it. */
static bool looks_like_source(const struct part *p, uint32_t i, uint32_t guilty)
{
    const struct plumb_values *values = p->history->values;
    plumb_value left = part_op(p, i)->arg;
    size_t count = plumb_is_array(left) ? plumb_array_count(values, left) : 0;
    if (count)
        left = plumb_array_item(values, left, count - 1);
    return left != PLUMB_OK && left == part_op(p, guilty)->result;
}

/* `prefix` has the operations of the core in the same order, but for some without effect. */
static void split_core(struct part *core, uint32_t guilty, const struct sieve *s, core_ops *left_out)
{
    uint32_t *kept = NEW_ARRAY(uint32_t, core->order.count), count = 0, k = 0;
    for (uint32_t i = 0; i < core->order.count; i++) {
        bool there =
            k < s->prefix->order.count && part_history_index(s->prefix, k) == part_history_index(core, i);
        bool needed = there && s->needed[k];
        k += there;
        if (needed || i == guilty || looks_like_source(core, i, guilty))
            kept[count++] = i;
        else
            vec_push(left_out, part_history_index(core, i));
    }
    if (count < core->order.count)
        part_keep(core, kept, count);
    free(kept);
}

void core_leave_out(struct part *core, const void *initial, struct budget *budget, core_ops *left_out)
{
    const struct order *o = &core->order;
    if (!ends_with_return(o) || !has_many_optional(core) || core->spec->accept || o->after)
        return;
    struct part prefix = part_cut(core, o->event_count - 2);
    struct sieve s = {.prefix = &prefix, .initial = initial, .budget = budget};
    s.needed = NEW_ARRAY(uint8_t, o->count);
    s.chosen = NEW_ARRAY(uint32_t, o->count);
    if (sift(&s))
        split_core(core, order_event_op(o->event[o->event_count - 1]), &s, left_out);
    free(s.needed);
    free(s.chosen);
    part_free(&prefix);
}
