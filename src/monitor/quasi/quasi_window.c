/* SPDX-License-Identifier: Apache-2.0 */
/* Places in a queue that follow from time alone: an addition has those before it that returned before it was called, and
 * the same for removals; the two places of one value are at most the factor apart. */
#include "monitor/quasi/quasi_items.h"

#include <string.h>

/* Numbers by time: how many of some events come before it. */
static uint32_t *count_events(const struct quasi_items *q, bool removals, bool returns)
{
    uint32_t times = q->part->order.event_count + 2;
    uint32_t *before = NEW_ZEROED(uint32_t, (size_t)times + 1);
    for (uint32_t v = 0; v < q->count; v++) {
        const struct quasi_value *x = &q->values[v];
        uint32_t time = removals ? (returns ? x->dr : x->dc) : (returns ? x->ar : x->ac);
        if (time != QUASI_NEVER)
            before[time + 1]++;
    }
    for (uint32_t t = 0; t < times; t++)
        before[t + 1] += before[t];
    return before;
}

struct counts {
    uint32_t *returned, *called;
    uint32_t count;
};

static struct counts count_both(const struct quasi_items *q, bool removals)
{
    return (struct counts){count_events(q, removals, true), count_events(q, removals, false),
                           removals ? q->removals : q->count};
}

static void place_between(const struct counts *c, uint32_t call, uint32_t ret, uint32_t *low, uint32_t *high)
{
    *low = c->returned[call];
    uint32_t later = ret == QUASI_NEVER ? 0 : c->count - c->called[ret + 1];
    *high = c->count - 1 - later;
}

static void fill(const struct quasi_items *q, struct quasi_window *windows)
{
    struct counts adds = count_both(q, false), removals = count_both(q, true);
    for (uint32_t v = 0; v < q->count; v++) {
        const struct quasi_value *x = &q->values[v];
        struct quasi_window *w = &windows[v];
        bool removed = x->rem != QUASI_NONE;
        place_between(&adds, x->ac, x->ar, &w->slo, &w->shi);
        if (removed)
            place_between(&removals, x->dc, x->dr, &w->tlo, &w->thi);
        else
            w->tlo = q->removals, w->thi = q->count - 1;
    }
    free(adds.returned);
    free(adds.called);
    free(removals.returned);
    free(removals.called);
}

/* Complete: what is removed is added first. */
static void split(const struct quasi_items *q, uint32_t v, struct quasi_window *w)
{
    if (q->values[v].rem == QUASI_NONE)
        w->slo = w->slo > q->removals ? w->slo : q->removals;
    else if (w->shi >= q->removals)
        w->shi = q->removals - 1;
}

static uint32_t gap(const struct quasi_window *w)
{
    if (w->tlo > w->shi)
        return w->tlo - w->shi;
    return w->slo > w->thi ? w->slo - w->thi : 0;
}

static void clip(struct quasi_window *w, uint32_t factor)
{
    struct quasi_window old = *w;
    if (old.tlo > factor && w->slo < old.tlo - factor)
        w->slo = old.tlo - factor;
    if (w->shi > old.thi + factor)
        w->shi = old.thi + factor;
    if (old.slo > factor && w->tlo < old.slo - factor)
        w->tlo = old.slo - factor;
    if (w->thi > old.shi + factor)
        w->thi = old.shi + factor;
}

static void blame(const struct quasi_items *q, uint32_t v, const struct quasi_window *w,
                  struct quasi_found *found)
{
    const struct quasi_value *x = &q->values[v];
    found->reason = QUASI_WINDOW;
    found->op = x->rem == QUASI_NONE ? x->add : x->rem;
    found->other = x->rem == QUASI_NONE ? QUASI_NONE : x->add;
    found->low = w->slo, found->high = w->shi;
    found->place_low = w->tlo, found->place_high = w->thi;
}

bool quasi_windows(const struct quasi_items *q, struct quasi_window *windows, struct quasi_found *found)
{
    fill(q, windows);
    for (uint32_t v = 0; v < q->count; v++) {
        struct quasi_window *w = &windows[v];
        bool stays_out = q->complete && !q->additions_move && q->values[v].rem == QUASI_NONE;
        if (q->complete && !q->additions_move)
            split(q, v, w);
        if (w->slo > w->shi || (!stays_out && gap(w) > q->factor)) {
            blame(q, v, w, found);
            return false;
        }
        if (!stays_out)
            clip(w, q->factor);
    }
    return true;
}

uint32_t quasi_least_factor(const struct quasi_items *q)
{
    OWNED struct quasi_window *windows = NEW_ARRAY(struct quasi_window, q->count);
    uint32_t least = 0;
    fill(q, windows);
    for (uint32_t v = 0; v < q->count; v++) {
        bool counts = q->values[v].rem != QUASI_NONE || !q->complete || q->additions_move;
        if (counts && gap(&windows[v]) > least)
            least = gap(&windows[v]);
    }
    return least;
}
