/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/event_list.h"

#include "history/order.h"

#include <string.h>

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

struct sorting {
    const struct history *h;
    const uint32_t *rank; /* place of each operation by order_compare_ops */
};

static int compare_events(const void *left, const void *right, void *context)
{
    const struct sorting *s = context;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    int64_t x_stamp = history_event_stamp(s->h, a), y_stamp = history_event_stamp(s->h, b);
    if (x_stamp != y_stamp)
        return COMPARE(x_stamp, y_stamp);
    uint64_t x_place = (uint64_t)s->rank[a >> 1] << 1 | (a & 1),
             y_place = (uint64_t)s->rank[b >> 1] << 1 | (b & 1);
    return COMPARE(x_place, y_place);
}

static void sort_by_stamp(const struct history *h, struct event_list *l)
{
    uint32_t count = (uint32_t)h->ops.len;
    uint32_t *order = NEW_ARRAY(uint32_t, count), *rank = NEW_ARRAY(uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    qsort_r(order, count, sizeof *order, order_compare_ops, (void *)h);
    for (uint32_t i = 0; i < count; i++)
        rank[order[i]] = i;
    struct sorting s = {h, rank};
    qsort_r(l->event, l->count, sizeof *l->event, compare_events, &s);
    free(order);
    free(rank);
}

/* Two events of one stamp in a row: their order is that of ranks only by chance. */
static bool has_equal_stamps(const struct event_list *l, const struct history *h)
{
    for (size_t i = 1; i < l->count; i++)
        if (event_list_stamp(l, h, i) == event_list_stamp(l, h, i - 1))
            return true;
    return false;
}

static bool rank_events(const struct history *h, struct event_list *out, bool *tied, struct diagnostic *d)
{
    struct order o;
    if (!order_rank(h, &o, d))
        return false;
    *tied = o.after != NULL;
    *out = (struct event_list){NEW_ARRAY(uint32_t, o.event_count), o.event_count};
    memcpy(out->event, o.event, o.event_count * sizeof *out->event);
    order_free(&o);
    return true;
}

bool event_list_by_stamp(const struct history *h, struct event_list *out, struct diagnostic *d)
{
    bool tied;
    if (!rank_events(h, out, &tied, d))
        return false;
    if (has_equal_stamps(out, h))
        sort_by_stamp(h, out);
    return true;
}

bool event_list_by_rank(const struct history *h, struct event_list *out, struct diagnostic *d)
{
    bool tied;
    if (!rank_events(h, out, &tied, d))
        return false;
    if (!tied)
        return true;
    event_list_free(out);
    return diagnostic_set(
        d, PL_CANNOT_SAY, 0, 0,
        "several threads go on at the stamp at which they return: no order of events says that");
}

bool event_list_is_ranked(const struct event_list *l, const struct history *h)
{
    for (size_t i = 0; i < l->count; i++)
        if (event_list_stamp(l, h, i) != (int64_t)i)
            return false;
    return true;
}

void event_list_free(struct event_list *l)
{
    free(l->event);
    *l = (struct event_list){0};
}
