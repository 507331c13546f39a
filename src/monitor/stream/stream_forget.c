/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/stream/stream_part.h"

#include "monitor/container/container.h"

#include <string.h>

/* Values that are done were removed by an operation that returned; the others are live. */
struct forgetting {
    struct stream_part *p;
    struct part part;
    struct container c;
    uint8_t *keep;        /* per operation */
    uint8_t *over;        /* per value: its inner interval counts for the gaps below */
    uint32_t *first_free; /* per gap g: the first gap >= g that no value of `over` covers */
    int64_t *call;        /* narrowed stamp per operation */
};

/* ---- gaps and stamps ---- */

static const struct order *order_of(const struct forgetting *f)
{
    return &f->part.order;
}

static int64_t stamp_of(const struct forgetting *f, uint32_t event)
{
    uint32_t e = order_of(f)->event[event];
    const struct history_op *op = &f->p->ops.data[order_event_op(e)];
    return order_event_returns(e) ? op->ret : op->call;
}

static int cover_change(const struct forgetting *f, uint32_t g)
{
    uint32_t v = f->c.value_of[order_event_op(order_of(f)->event[g])];
    if (v == NO_VALUE || !f->over[v] || f->c.values[v].ar >= f->c.values[v].dc)
        return 0;
    return (f->c.values[v].ar == g) - (f->c.values[v].dc == g);
}

/* No value that is over is inside behind the last event, so that the last gap is always free. */
static void find_free_gaps(struct forgetting *f)
{
    uint32_t first = NO_GAP;
    int64_t cover = 0;
    f->first_free = NEW_ARRAY(uint32_t, f->c.events);
    for (uint32_t g = f->c.events; g-- > 0;) {
        first = cover ? first : g;
        f->first_free[g] = first;
        cover -= cover_change(f, g);
    }
}

/* ---- what is kept ---- */

static bool is_done(const struct forgetting *f, uint32_t v)
{
    return f->c.values[v].rem != NO_OP;
}

static bool is_open(const struct forgetting *f, uint32_t op)
{
    return order_of(f)->ret[op] == ORDER_NEVER;
}

static bool is_reader(const struct forgetting *f, uint32_t op)
{
    return f->p->spec->operations[f->p->ops.data[op].op].role != PLUMB_ADDS;
}

static void keep_value(struct forgetting *f, uint32_t v)
{
    const struct container_value *value = &f->c.values[v];
    f->keep[value->add] = 1;
    if (value->rem != NO_OP)
        f->keep[value->rem] = 1;
    for (uint32_t x = value->first_peek; x != NO_OP; x = f->c.next_peek[x])
        f->keep[x] = 1;
}

/* Open operations have to be found when they return, and with the value that they added. */
static void keep_open(struct forgetting *f)
{
    for (uint32_t i = 0; i < order_of(f)->count; i++)
        f->keep[i] |= is_open(f, i);
    for (uint32_t v = 0; v < f->c.value_count; v++)
        if (f->over[v] && is_open(f, f->c.values[v].add))
            keep_value(f, v);
}

/* ---- containers in which no removal and no look is open ---- */

/* The last gap that no removal and no look spans. NO_GAP: there is none. */
static uint32_t find_rest(const struct forgetting *f)
{
    const struct order *o = order_of(f);
    uint32_t open = 0, rest = NO_GAP;
    for (uint32_t g = 0; g < f->c.events; g++) {
        if (is_reader(f, order_event_op(o->event[g])))
            open += order_event_returns(o->event[g]) ? -1u : 1u;
        rest = open ? rest : g;
    }
    return rest;
}

/* Do ranks put a return of the same stamp before this call? The stamp alone could not. */
static bool is_tied(const struct forgetting *f, uint32_t call)
{
    for (uint32_t g = call; g-- > 0 && stamp_of(f, g) == stamp_of(f, call);)
        if (order_event_returns(order_of(f)->event[g]))
            return true;
    return false;
}

/* An operation on a stack that is not about a value that is over acts while all those are outside: in a free gap.
 * Then an order of such operations is possible if no last free gap of one lies before the first one of another that
 * precedes it. As there is none between a last one and the return, moving the calls is enough. False: stamps
 * cannot say so. */
static bool narrow(struct forgetting *f, uint32_t op)
{
    uint32_t call = order_of(f)->call[op], from = f->first_free[call];
    f->call[op] = stamp_of(f, from);
    return from == call || !is_tied(f, from);
}

static bool narrow_stack(struct forgetting *f, uint32_t rest)
{
    const struct order *o = order_of(f);
    find_free_gaps(f);
    for (uint32_t i = 0; i < o->count; i++) {
        uint32_t v = f->c.value_of[i];
        bool adds = !is_reader(f, i), stays = v == NO_VALUE ? adds && is_open(f, i) : !f->over[v];
        if (stays && o->call[i] <= rest && !narrow(f, i))
            return false;
    }
    return true;
}

/* Of the looks at a live value, the first to return says from when on it must have been seen, and the last to be called
 * until when; one between them fits whenever these do. */
static void keep_looks(struct forgetting *f, uint32_t v, uint32_t rest)
{
    const struct order *o = order_of(f);
    uint32_t first = NO_OP, last = NO_OP;
    for (uint32_t x = f->c.values[v].first_peek; x != NO_OP; x = f->c.next_peek[x]) {
        f->keep[x] = o->ret[x] > rest;
        if (f->keep[x])
            continue;
        first = first == NO_OP || o->ret[x] < o->ret[first] ? x : first;
        last = last == NO_OP || o->call[x] > o->call[last] ? x : last;
    }
    if (first != NO_OP)
        f->keep[first] = f->keep[last] = 1;
}

/* What was removed by then is over; all other removals are called later. */
static bool forget_before(struct forgetting *f, uint32_t rest)
{
    for (uint32_t v = 0; v < f->c.value_count; v++) {
        f->over[v] = is_done(f, v) && f->c.values[v].dr <= rest;
        if (f->over[v])
            continue;
        keep_value(f, v);
        keep_looks(f, v, rest);
    }
    for (size_t k = 0; k < f->c.empties.len; k++)
        f->keep[f->c.empties.data[k]] = order_of(f)->ret[f->c.empties.data[k]] > rest;
    return f->p->spec->kind != PLUMB_KIND_STACK || narrow_stack(f, rest);
}

/* ---- queues, at any moment ---- */

/* Of the values that are done and were added after live value y, the one that was out first: y has to be taken by
 * a removal that is open already and was called before that. */
static void keep_witnesses(struct forgetting *f)
{
    const struct order *o = order_of(f);
    uint32_t first_out = NO_VALUE;
    for (uint32_t g = f->c.events; g-- > 0;) {
        uint32_t op = order_event_op(o->event[g]), v = f->c.value_of[op];
        if (v == NO_VALUE || op != f->c.values[v].add)
            continue;
        if (!is_done(f, v) && order_event_returns(o->event[g]) && first_out != NO_VALUE)
            keep_value(f, first_out);
        if (is_done(f, v) && !order_event_returns(o->event[g]) &&
            (first_out == NO_VALUE || f->c.values[v].dr < f->c.values[first_out].dr))
            first_out = v;
    }
}

/* live[g]: how many live values were added by gap g. */
static uint32_t *count_live(const struct forgetting *f)
{
    uint32_t *live = NEW_ARRAY(uint32_t, f->c.events), count = 0;
    for (uint32_t g = 0; g < f->c.events; g++) {
        uint32_t v = f->c.value_of[order_event_op(order_of(f)->event[g])];
        count += v != NO_VALUE && !is_done(f, v) && f->c.values[v].ar == g;
        live[g] = count;
    }
    return live;
}

/* An answer "empty" with a gap that no value covers, live ones included, is right whatever comes. Others need an open
 * removal that took the live values; of several that need the same the first is enough. Returns the stamp
 * from which on covers are needed. */
static int64_t keep_empties(struct forgetting *f, const uint32_t *live)
{
    const struct order *o = order_of(f);
    int64_t needed = INT64_MAX;
    uint32_t kept = NO_OP, kept_gap = 0;
    for (size_t k = 0; k < f->c.empties.len; k++) {
        uint32_t e = f->c.empties.data[k], gap = f->first_free[o->call[e]];
        if (!live[gap] || (kept != NO_OP && o->ret[kept] <= gap && live[kept_gap] == live[gap]))
            continue;
        f->keep[e] = 1;
        f->call[e] = stamp_of(f, gap);
        needed = f->call[e] < needed ? f->call[e] : needed;
        if (kept == NO_OP || live[kept_gap] != live[gap] || o->ret[e] < o->ret[kept]) {
            kept = e;
            kept_gap = gap;
        }
    }
    return needed;
}

/* The gap at which `stamp` lies, just before the events that have it. */
static uint32_t gap_before(const struct forgetting *f, int64_t stamp)
{
    uint32_t low = 0, high = f->c.events;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (stamp_of(f, middle) < stamp)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? low - 1 : 0;
}

/* A removal that is open may answer "empty" one day: the same, but what it may use are its gaps so far. */
static int64_t narrow_open(struct forgetting *f, const uint32_t *live)
{
    int64_t needed = INT64_MAX;
    for (size_t k = 0; k < f->c.pending_removals.len; k++) {
        uint32_t d = f->c.pending_removals.data[k], gap = order_of(f)->call[d];
        int64_t *from = &f->p->empty_from.data[d];
        if (gap_before(f, *from) > gap)
            gap = gap_before(f, *from);
        gap = f->first_free[gap];
        if (!live[gap])
            continue;
        if (stamp_of(f, gap) > *from)
            *from = stamp_of(f, gap);
        needed = *from < needed ? *from : needed;
    }
    return needed;
}

static void forget_queue(struct forgetting *f)
{
    for (uint32_t v = 0; v < f->c.value_count; v++)
        f->over[v] = is_done(f, v);
    find_free_gaps(f);
    uint32_t *live = count_live(f);
    int64_t needed = keep_empties(f, live), needed_by_open = narrow_open(f, live);
    needed = needed_by_open < needed ? needed_by_open : needed;
    free(live);
    for (uint32_t v = 0; v < f->c.value_count; v++)
        if (!is_done(f, v) || stamp_of(f, f->c.values[v].dc) >= needed)
            keep_value(f, v);
    keep_witnesses(f);
}

/* ---- all together ---- */

static bool has_looks(const struct forgetting *f)
{
    bool open = false;
    for (uint32_t i = 0; i < order_of(f)->count; i++)
        open |= is_open(f, i) && f->p->spec->operations[f->p->ops.data[i].op].role == PLUMB_LOOKS;
    return open || f->c.next_peek;
}

/* False: nothing can be forgotten. */
static bool choose(struct forgetting *f)
{
    uint32_t rest;
    bool fine = true;
    if (f->p->spec->kind == PLUMB_KIND_QUEUE && !has_looks(f))
        forget_queue(f);
    else if ((rest = find_rest(f)) != NO_GAP)
        fine = forget_before(f, rest);
    else
        return false;
    keep_open(f);
    return fine;
}

static size_t compact(struct forgetting *f)
{
    struct stream_part *p = f->p;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->ops.len; i++) {
        if (!f->keep[i])
            continue;
        p->ops.data[kept] = p->ops.data[i];
        p->ops.data[kept].call = f->call[i];
        p->lines.data[kept] = p->lines.data[i];
        p->empty_from.data[kept++] = p->empty_from.data[i];
    }
    size_t forgotten = p->ops.len - kept;
    p->ops.len = p->lines.len = p->empty_from.len = kept;
    p->settled += forgotten;
    return forgotten;
}

static size_t forget(struct forgetting *f)
{
    uint32_t count = order_of(f)->count;
    f->keep = NEW_ZEROED(uint8_t, count);
    f->over = NEW_ZEROED(uint8_t, f->c.value_count);
    f->call = NEW_ARRAY(int64_t, count);
    for (uint32_t i = 0; i < count; i++)
        f->call[i] = f->p->ops.data[i].call;
    size_t forgotten = choose(f) ? compact(f) : 0;
    free(f->keep);
    free(f->over);
    free(f->first_free);
    free(f->call);
    return forgotten;
}

size_t stream_part_forget(struct stream_part *p, const struct history *names,
                          const struct plumb_spec_options *options)
{
    size_t forgotten = 0;
    struct history h = stream_part_history(p, names);
    struct forgetting f = {.p = p, .part = {.spec = p->spec, .options = options, .history = &h}};
    struct decision d = {0};
    struct diagnostic ignored;
    if (!stream_part_counts(p) || p->states.len || p->spec->kind == PLUMB_KIND_DEQUE)
        return 0;
    if (order_rank(&h, &f.part.order, &ignored)) {
        if (container_build(&f.c, &f.part, &d) == VERDICT_HOLDS && !f.part.order.after)
            forgotten = forget(&f);
        container_free(&f.c);
        order_free(&f.part.order);
    }
    decision_free(&d);
    return forgotten;
}
