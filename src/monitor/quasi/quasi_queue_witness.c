/* SPDX-License-Identifier: Apache-2.0 */
/* Orders of a quasi queue in time: what the programme starts from, and the two sequences it ends with. */
#include "monitor/quasi/quasi_queue.h"

#include "base/check.h"
#include "base/sort.h"
#include "base/vec.h"

/* --- before ------------------------------------------------------------------------------------------------------- */

static bool make_adds(struct quasi_order *o, const struct quasi_items *q)
{
    quasi_order_reserve(o, q->count);
    for (uint32_t v = 0; v < q->count; v++) {
        o->value[v] = v;
        o->call[v] = q->values[v].ac;
        o->ret[v] = q->values[v].ar;
    }
    return quasi_order_finish(o);
}

static bool make_removals(struct quasi_order *o, const struct quasi_items *q)
{
    uint64_t *calls = NEW_ARRAY(uint64_t, q->count);
    uint32_t n = 0;
    quasi_order_reserve(o, q->removals);
    for (uint32_t v = 0; v < q->count; v++) {
        calls[v] = q->values[v].dc;
        if (q->values[v].rem != QUASI_NONE)
            o->value[n++] = v;
    }
    sort_by_key(o->value, n, calls);
    free(calls);
    for (uint32_t k = 0; k < n; k++) {
        o->call[k] = q->values[o->value[k]].dc;
        o->ret[k] = q->values[o->value[k]].dr;
    }
    return quasi_order_finish(o);
}

enum verdict queue_orders_make(struct queue_orders *o, const struct quasi_items *q, struct quasi_found *found)
{
    bool fits = make_adds(&o->adds, q);
    fits &= make_removals(&o->removals, q);
    o->windows = NEW_ARRAY(struct quasi_window, q->count);
    o->least_return = NEW_ARRAY(uint32_t, q->empties.len + 1);
    o->least_return[q->empties.len] = QUASI_NEVER;
    for (size_t k = q->empties.len; k-- > 0;) {
        uint32_t ret = q->empties.data[k].ret;
        o->least_return[k] = ret < o->least_return[k + 1] ? ret : o->least_return[k + 1];
    }
    if (!fits)
        return VERDICT_NONE;
    return quasi_windows(q, o->windows, found) ? VERDICT_HOLDS : VERDICT_VIOLATED;
}

void queue_orders_free(struct queue_orders *o)
{
    quasi_order_free(&o->adds);
    quasi_order_free(&o->removals);
    free(o->windows);
    free(o->least_return);
}

/* --- empty answers -------------------------------------------------------------------------------------------------- */

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

struct queue_gap queue_gap_at(const struct queue_orders *o, struct quasi_prefix s, struct quasi_prefix t)
{
    return (struct queue_gap){
        larger(quasi_prefix_latest_call(&o->adds, s), quasi_prefix_latest_call(&o->removals, t)),
        smaller(quasi_prefix_least_return(&o->adds, s), quasi_prefix_least_return(&o->removals, t))};
}

/* Empty answers that were called before `time`. */
static size_t empties_before(const struct quasi_items *q, uint32_t time)
{
    size_t low = 0, high = q->empties.len;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (q->empties.data[middle].call < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool queue_empties_alive(const struct quasi_items *q, const struct queue_orders *o, uint32_t reach,
                         uint32_t now)
{
    return o->least_return[empties_before(q, reach)] > now;
}

bool queue_empties_done(const struct quasi_items *q, uint32_t reach)
{
    return empties_before(q, reach) == q->empties.len;
}

/* --- after ---------------------------------------------------------------------------------------------------------- */

/* Everything gets a moment between its call and its return, as late as it may be for removals and as early for the others;
 * with empty answers, q's times without items separate what comes before from what comes after. */
struct witness {
    const struct quasi_items *q;
    const struct queue_orders *o;
    uint32_t length;           /* places that the programme decided */
    uint32_t *s, *t;           /* additions (all), removals (of those places) */
    struct queue_gap *gaps;    /* before each place of real removals, and after the last */
    uint64_t *add_at, *rem_at; /* moments, by place */
    VEC(uint64_t) moments;
    VEC(uint32_t) ops;
};

static void follow_links(struct witness *x, const struct queue_link *links, uint32_t last)
{
    OWNED uint8_t *taken = NEW_ZEROED(uint8_t, x->q->count);
    for (uint32_t i = x->length; i-- > 0; last = links[last].before) {
        x->s[i] = links[last].v;
        x->t[i] = links[last].w;
        taken[x->s[i]] = 1;
    }
    uint32_t n = x->length;
    for (uint32_t v = 0; v < x->q->count; v++)
        if (!taken[v])
            x->s[n++] = v;
}

/* Kinds that share a moment stand in this order. */
enum kind { KIND_EMPTY, KIND_ADD, KIND_REMOVAL };

static uint64_t moment(uint32_t time, int part, enum kind kind)
{
    return ((uint64_t)time * 4 + (uint64_t)part) * 4 + kind;
}

static void find_moments(struct witness *x)
{
    uint32_t latest = 0, least = QUASI_NEVER, m = x->q->removals;
    for (uint32_t i = 0; i < x->q->count; i++) {
        latest = larger(latest, x->q->values[x->s[i]].ac);
        x->add_at[i] = moment(latest, 1, KIND_ADD);
    }
    for (uint32_t i = m; i-- > 0;) {
        least = smaller(least, x->q->values[x->t[i]].dr);
        x->rem_at[i] = moment(least - 1, 3, KIND_REMOVAL);
    }
}

/* The times at which q is empty: before place i, for all i up to the last removal. */
static void find_gaps(struct witness *x)
{
    uint32_t m = x->q->removals, low = 0, high = QUASI_NEVER;
    for (uint32_t i = 0; i <= m; i++) {
        x->gaps[i].low = low;
        if (i < m)
            low = larger(low, larger(x->q->values[x->s[i]].ac, x->q->values[x->t[i]].dc));
    }
    for (uint32_t i = x->q->count; i-- > m;)
        high = smaller(high, x->q->values[x->s[i]].ar);
    for (uint32_t i = m + 1; i-- > 0;) {
        x->gaps[i].high = high;
        if (i > 0)
            high = smaller(high, smaller(x->q->values[x->s[i - 1]].ar, x->q->values[x->t[i - 1]].dr));
    }
}

/* The last place before which the empty answer fits. Gaps start and end later and later. */
static uint32_t place_of_empty(const struct witness *x, const struct quasi_empty *e)
{
    uint32_t low = 0, high = x->q->removals + 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (x->gaps[middle].low < e->ret)
            low = middle + 1;
        else
            high = middle;
    }
    while (low > 0 && larger(x->gaps[low - 1].low, e->call) >= smaller(x->gaps[low - 1].high, e->ret))
        low--;
    CHECK(low > 0);
    return low - 1;
}

/* What comes before the place is moved before the gap's start, what comes after it behind the answer. */
static void place_empty(struct witness *x, const struct quasi_empty *e)
{
    uint32_t place = place_of_empty(x, e), time = larger(x->gaps[place].low, e->call);
    uint64_t before = moment(x->gaps[place].low, 2, KIND_REMOVAL), after = moment(time, 3, KIND_ADD);
    for (uint32_t i = place; i-- > 0 && x->rem_at[i] > before;)
        x->rem_at[i] = before;
    for (uint32_t i = place; i < x->q->count && x->add_at[i] < after; i++)
        x->add_at[i] = after;
    vec_push(&x->moments, moment(time, 3, KIND_EMPTY));
    vec_push(&x->ops, e->op);
}

static void sort_operations(struct witness *x, struct quasi_found *found)
{
    for (uint32_t i = 0; i < x->q->count; i++) {
        vec_push(&x->moments, x->add_at[i]);
        vec_push(&x->ops, x->q->values[x->s[i]].add);
    }
    for (uint32_t i = 0; i < x->q->removals; i++) {
        vec_push(&x->moments, x->rem_at[i]);
        vec_push(&x->ops, x->q->values[x->t[i]].rem);
    }
    uint32_t count = (uint32_t)x->ops.len, *sorted = NEW_ARRAY(uint32_t, count);
    for (uint32_t k = 0; k < count; k++)
        sorted[k] = k;
    sort_by_key(sorted, count, x->moments.data);
    for (uint32_t k = 0; k < count; k++)
        vec_push(&found->p, x->ops.data[sorted[k]]);
    free(sorted);
}

void queue_witness(const struct quasi_items *q, const struct queue_orders *o, const struct queue_link *links,
                   uint32_t last, uint32_t length, struct quasi_found *found)
{
    struct witness x = {.q = q, .o = o, .length = length};
    x.s = NEW_ARRAY(uint32_t, q->count);
    x.t = NEW_ARRAY(uint32_t, length);
    x.gaps = NEW_ARRAY(struct queue_gap, (size_t)q->removals + 1);
    x.add_at = NEW_ARRAY(uint64_t, q->count);
    x.rem_at = NEW_ARRAY(uint64_t, q->removals);
    follow_links(&x, links, last);
    find_moments(&x);
    find_gaps(&x);
    for (size_t k = 0; k < q->empties.len; k++)
        place_empty(&x, &q->empties.data[k]);
    sort_operations(&x, found);
    for (uint32_t i = 0; i < q->count && (i < length || q->additions_move); i++)
        vec_push(&found->q, q->additions_move && i < length ? x.t[i] : x.s[i]);
    for (uint32_t i = q->removals; i < length && !q->additions_move; i++)
        vec_push(&found->appended, x.t[i]);
    vec_free(&x.moments);
    vec_free(&x.ops);
    free(x.s);
    free(x.t);
    free(x.gaps);
    free(x.add_at);
    free(x.rem_at);
}
