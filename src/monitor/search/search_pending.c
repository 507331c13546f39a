/* SPDX-License-Identifier: Apache-2.0 */
/* Many operations that never returned, as after crashes: each may or may not have acted, at any time since its call. The
 * exact search keeps every minimal set of them that leads to a state, and these can be too many. Searches whose
 * cost does not depend on their number come first:
 *   - a beam, which keeps the nodes that used the fewest: if one gets to the end it is a legal order; once without the
 *     operations of which no answer shows anything;
 *   - one in which each may act again and again: what is impossible even then is impossible.
 * docs/internals/monitor/search.md has more. */
#include "monitor/search/search.h"

#include "spec/registry.h"

#include <string.h>

enum { FEW_PENDING = 10 };
static const size_t beams[] = {16, 256, 4096};
enum { UNLIMITED_NODES = 4096 };

bool search_has_many_pending(const struct part *p)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->order.count && count <= FEW_PENDING; i++) {
        struct plumb_call call = part_call(p, i);
        count += p->order.ret[i] == ORDER_NEVER && !spec_effect_free(p->spec, &call);
    }
    return count > FEW_PENDING;
}

/* ---- what no answer shows ---- */

/* What an operation leaves behind: its last argument. PLUMB_OK: it has none. */
static plumb_value trace_of(const struct part *p, uint32_t i)
{
    const struct plumb_values *values = p->history->values;
    plumb_value arg = part_op(p, i)->arg;
    size_t count = plumb_is_array(arg) ? plumb_array_count(values, arg) : 0;
    return count ? plumb_array_item(values, arg, count - 1) : arg;
}

static bool shows(const struct plumb_values *values, plumb_value seen, plumb_value trace)
{
    size_t seen_length, length;
    if (seen == trace)
        return true;
    if (plumb_tag_of(seen) != PLUMB_TAG_STRING || plumb_tag_of(trace) != PLUMB_TAG_STRING)
        return false;
    const char *in = plumb_string_of(values, seen, &seen_length),
               *what = plumb_string_of(values, trace, &length);
    return memmem(in, seen_length, what, length) != NULL;
}

/* Did any operation that returned after the call of `i` answer something of it, or compare with it? */
static bool is_seen(const struct part *p, uint32_t i)
{
    const struct order *o = &p->order;
    const struct plumb_values *values = p->history->values;
    plumb_value trace = trace_of(p, i);
    for (uint32_t k = 0; k < o->count; k++) {
        const struct history_op *op = part_op(p, k);
        if (o->ret[k] == ORDER_NEVER || o->ret[k] < o->call[i])
            continue;
        if (shows(values, op->result, trace))
            return true;
        if (plumb_is_array(op->arg) && plumb_array_count(values, op->arg) &&
            plumb_array_item(values, op->arg, 0) == trace)
            return true;
    }
    return trace == PLUMB_OK;
}

enum { SEEING_WORK = 20 * 1000 * 1000 };

/* The operations without the pending ones of which nothing was seen: their effect would only be in the way. Null: there are
 * none of these, or it takes too long to find out. */
static uint32_t *leave_out_unseen(const struct part *p, uint32_t *count)
{
    uint32_t *chosen = NEW_ARRAY(uint32_t, p->order.count);
    uint64_t work = 0;
    *count = 0;
    for (uint32_t i = 0; i < p->order.count && work <= SEEING_WORK; i++) {
        bool pending = p->order.ret[i] == ORDER_NEVER;
        work += pending ? p->order.count : 0;
        if (!pending || is_seen(p, i))
            chosen[(*count)++] = i;
    }
    if (work <= SEEING_WORK && *count && *count < p->order.count)
        return chosen;
    free(chosen);
    return NULL;
}

/* A guess, and so only a legal order counts: one without the operations that no answer shows. */
static enum verdict find_order_of_seen(const struct part *p, const void *initial, size_t beam,
                                       struct budget *budget, struct decision *d)
{
    uint32_t count, *chosen = leave_out_unseen(p, &count);
    if (!chosen)
        return VERDICT_NONE;
    struct part seen = part_restrict(p, chosen, count);
    struct search_way way = {.beam = beam};
    enum verdict verdict = search_run(&seen, initial, budget, d, &way);
    for (size_t k = 0; k < d->witness.len; k++)
        d->witness.data[k] = chosen[d->witness.data[k]];
    part_free(&seen);
    free(chosen);
    return verdict == VERDICT_VIOLATED ? VERDICT_NONE : verdict;
}

/* ---- all together ---- */

static enum verdict refute_unlimited(const struct part *p, const void *initial, struct budget *budget,
                                     struct decision *d)
{
    struct search_way unlimited = {.unlimited = true, .beam = UNLIMITED_NODES};
    enum verdict verdict = search_run(p, initial, budget, d, &unlimited);
    return verdict == VERDICT_HOLDS ? VERDICT_NONE : verdict;
}

enum verdict search_estimate(const struct part *p, const void *initial, struct budget *budget,
                             struct decision *d)
{
    enum verdict verdict = VERDICT_NONE;
    for (size_t k = 0; k < sizeof beams / sizeof *beams && verdict == VERDICT_NONE; k++) {
        struct search_way beam = {.beam = beams[k]};
        verdict = search_run(p, initial, budget, d, &beam);
        if (verdict == VERDICT_NONE)
            verdict = find_order_of_seen(p, initial, beams[k], budget, d);
        if (verdict == VERDICT_NONE && k == 0)
            verdict = refute_unlimited(p, initial, budget, d);
    }
    if (verdict == VERDICT_NONE)
        vec_clear(&d->witness);
    return d->verdict = verdict;
}

bool search_prefix_quickly(const struct part *p, const void *initial, struct budget *budget,
                           struct decision *d)
{
    for (size_t k = 0; k < sizeof beams / sizeof *beams; k++) {
        struct search_way way = {.keep_prefix = true, .beam = beams[k]};
        search_run(p, initial, budget, d, &way);
        if (budget->spent)
            break;
        if (d->legal_events + 1 >= p->order.event_count)
            return true;
    }
    vec_clear(&d->witness);
    return false;
}
