/* SPDX-License-Identifier: Apache-2.0 */
/* A prefix of a linearizable history is linearizable, so the first illegal one is found by bisection. Specifications that
 * say where a sequence may end, as those for quasi linearizability do, have no such law: there the last legal prefix is
 * looked for from the end, or, when that takes too long, some legal one with an illegal one behind it. */
#include "monitor/monitor.h"

#include "history/order.h"

struct earliest {
    const struct history *h;
    const struct monitor_settings *settings;
    struct order order;
    VEC(uint32_t) cuts; /* numbers of events after which a prefix may end, ascending */
};

static int64_t stamp_of(const struct earliest *e, uint32_t position)
{
    return history_event_stamp(e->h, e->order.event[position]);
}

/* Only returns can make a history illegal. When positions do not express the whole order, a prefix ends between stamps. */
static void list_cuts(struct earliest *e)
{
    for (uint32_t k = 1; k <= e->order.event_count; k++) {
        bool useful = e->order.after ? k == e->order.event_count || stamp_of(e, k - 1) != stamp_of(e, k)
                                     : order_event_returns(e->order.event[k - 1]);
        if (useful)
            vec_push(&e->cuts, k);
    }
}

/* The operations of the first `events` events. Positions are the stamps, where they can be. */
static struct history take_prefix(const struct earliest *e, uint32_t events)
{
    struct history prefix = *e->h;
    prefix.ops = rows_of(NULL, 0);
    prefix.objects.data = NULL;
    prefix.lines.data = NULL;
    prefix.objects.len = prefix.objects.cap = prefix.lines.len = 0;
    for (uint32_t i = 0; i < e->order.count; i++) {
        struct history_op op = history_get(e->h, i);
        if (e->order.call[i] >= events)
            continue;
        if (!e->order.after) {
            op.call = e->order.call[i];
            op.ret = e->order.ret[i];
        }
        if (op.pending || e->order.ret[i] >= events) {
            op.pending = 1;
            op.ret = INT64_MAX;
            op.result = PLUMB_ANY;
        }
        rows_push(&prefix.ops, &op);
        if (e->h->objects.len)
            vec_push(&prefix.objects, e->h->objects.data[i]);
    }
    return prefix;
}

static enum verdict judge_prefix(const struct earliest *e, uint32_t events)
{
    struct history prefix = take_prefix(e, events);
    struct monitor_result result;
    struct diagnostic d;
    enum verdict verdict = VERDICT_INCONCLUSIVE;
    if (monitor_history(&prefix, e->settings, &result, &d)) {
        verdict = result.verdict;
        monitor_result_free(&result);
    }
    rows_free(&prefix.ops);
    vec_free(&prefix.objects);
    return verdict;
}

/* A cut that is violated while the one before is not; the first of all cuts counts as if it had a legal one before it,
 * and the last is known to be violated. UINT32_MAX: not known. */
static uint32_t bisect(const struct earliest *e, uint32_t low, uint32_t high)
{
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        enum verdict verdict = judge_prefix(e, e->cuts.data[middle]);
        if (verdict == VERDICT_INCONCLUSIVE)
            return UINT32_MAX;
        if (verdict == VERDICT_VIOLATED)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The same, with all cuts after it violated. */
static uint32_t scan_back(const struct earliest *e)
{
    uint32_t cut = (uint32_t)e->cuts.len - 1;
    for (; cut; cut--) {
        enum verdict verdict = judge_prefix(e, e->cuts.data[cut - 1]);
        if (verdict == VERDICT_INCONCLUSIVE)
            return UINT32_MAX;
        if (verdict == VERDICT_HOLDS)
            break;
    }
    return cut;
}

enum { SCAN_WORK = 400 * 1000 }; /* operations, over all prefixes */

static bool is_closed_under_prefixes(const struct earliest *e)
{
    for (size_t k = 0; k < e->h->object_names.len; k++)
        if (e->settings->specs[k]->accept)
            return false;
    return true;
}

static uint32_t find_cut(const struct earliest *e, bool *certain)
{
    bool closed = is_closed_under_prefixes(e);
    *certain = closed || (uint64_t)e->cuts.len * e->order.count <= SCAN_WORK;
    if (!e->cuts.len)
        return UINT32_MAX;
    return closed || !*certain ? bisect(e, 0, (uint32_t)e->cuts.len - 1) : scan_back(e);
}

/* Of several events at the cut the first return counts. */
static void set_moment(const struct earliest *e, uint32_t cut, struct monitor_moment *out)
{
    uint32_t position = e->order.after && cut ? e->cuts.data[cut - 1] : 0;
    if (!e->order.after)
        position = e->cuts.data[cut] - 1;
    while (position + 1 < e->cuts.data[cut] && !order_event_returns(e->order.event[position]))
        position++;
    out->guilty = order_event_op(e->order.event[position]);
    out->last = position ? order_event_op(e->order.event[position - 1]) : UINT32_MAX;
    out->last_is_return = position && order_event_returns(e->order.event[position - 1]);
}

bool monitor_earliest(const struct history *h, const struct monitor_settings *settings,
                      struct monitor_moment *out)
{
    struct earliest e = {.h = h, .settings = settings};
    struct diagnostic d;
    if (!order_rank(h, &e.order, &d))
        return false;
    list_cuts(&e);
    uint32_t cut = find_cut(&e, &out->certain);
    if (cut != UINT32_MAX)
        set_moment(&e, cut, out);
    vec_free(&e.cuts);
    order_free(&e.order);
    return cut != UINT32_MAX;
}
