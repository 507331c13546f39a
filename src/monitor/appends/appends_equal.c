/* SPDX-License-Identifier: Apache-2.0 */
/* Equal appends: which of them wrote which occurrence of their token. Time leaves few for each: what lies wholly between the
 * first return and the last call of an epoch must have acted in it. And if none of them is called later than another one
 * and returns before it, they may be taken to act in the order of their calls. */
#include "monitor/appends/appends_run.h"

/* ---- homes ---- */

/* A member joins the epoch. */
static void extend_zone(struct appends_epoch *e, uint32_t call, uint32_t ret)
{
    e->first_return = ret < e->first_return ? ret : e->first_return;
    e->last_call = call > e->last_call ? call : e->last_call;
}

/* The zone that the epoch has whatever its open tokens turn out to be. */
static void measure_zone(struct appends_run *run, struct appends_epoch *e)
{
    e->first_return = ORDER_NEVER;
    e->last_call = 0;
    extend_zone(e, run->call[e->root], run->ret[e->root]);
    for (uint32_t k = 0; k < e->looks; k++) {
        uint32_t op = run->looks.data[run->by_depth[e->first_look + k]].op;
        extend_zone(e, run->call[op], run->ret[op]);
    }
    for (uint32_t k = 0; k < e->tokens; k++) {
        const struct appends_occurrence *o = &run->occurrences.data[e->first_token + k];
        extend_zone(e, o->call, o->ret);
    }
}

static int compare_zones(const void *left, const void *right, void *context)
{
    const struct appends_epoch *epochs = context;
    uint32_t a = epochs[*(const uint32_t *)left].first_return,
             b = epochs[*(const uint32_t *)right].first_return;
    return (a > b) - (a < b);
}

/* Is the operation wholly inside? */
static bool is_inside(const struct appends_run *run, uint32_t op, const struct appends_epoch *e)
{
    return run->call[op] > e->first_return && run->ret[op] < e->last_call;
}

/* `zones`: epochs by first return. Those of a legal history are apart. */
static uint32_t home_of(const struct appends_run *run, const uint32_t *zones, uint32_t count, uint32_t op)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (run->epochs.data[zones[middle]].first_return < run->call[op])
            low = middle + 1;
        else
            high = middle;
    }
    return low && is_inside(run, op, &run->epochs.data[zones[low - 1]]) ? zones[low - 1] : NONE;
}

/* For each append that others equal: the epoch in whose zone it lies, or NONE. */
static void find_homes(struct appends_run *run)
{
    OWNED uint32_t *zones = NEW_ARRAY(uint32_t, run->epochs.len);
    uint32_t count = 0;
    for (uint32_t e = 0; e < run->epochs.len; e++) {
        measure_zone(run, &run->epochs.data[e]);
        if (run->epochs.data[e].first_return < run->epochs.data[e].last_call)
            zones[count++] = e;
    }
    qsort_r(zones, count, sizeof *zones, compare_zones, run->epochs.data);
    for (uint32_t t = 0; t < run->tokens.count; t++)
        for (uint32_t k = run->tokens.texts[t].first; k < appends_writers_end(&run->tokens, t); k++)
            if (appends_writer_count(&run->tokens, t) > 1)
                run->home[run->tokens.writers[k]] = home_of(run, zones, count, run->tokens.writers[k]);
}

/* Goes through an epoch from the root on, or back. */
struct walk {
    struct appends_run *run;
    const struct appends_epoch *e;
    uint32_t bound; /* the last call of what came so far; backwards the first return */
    uint32_t look;  /* the next one, in by_depth */
};

static const struct appends_look *walk_look(const struct walk *w)
{
    return &w->run->looks.data[w->run->by_depth[w->look]];
}

/* Passes the gets that saw `depth` tokens or fewer. */
static void walk_forward(struct walk *w, uint32_t depth)
{
    uint32_t end = w->e->first_look + w->e->looks;
    for (; w->look < end && w->run->nodes.data[walk_look(w)->guess].depth <= depth; w->look++)
        if (w->run->call[walk_look(w)->op] > w->bound)
            w->bound = w->run->call[walk_look(w)->op];
}

/* Passes those that saw as many or more; w->look is behind the next one. */
static void walk_back(struct walk *w, uint32_t depth)
{
    for (; w->look > w->e->first_look; w->look--) {
        const struct appends_look *g = &w->run->looks.data[w->run->by_depth[w->look - 1]];
        if (w->run->nodes.data[g->guess].depth < depth)
            return;
        if (w->run->ret[g->op] < w->bound)
            w->bound = w->run->ret[g->op];
    }
}

/* ---- candidates ---- */

/* Where an occurrence is: its epoch, the last call of what comes before, and the first return of what comes after it. */
struct room {
    uint32_t epoch, last_call, first_return;
};

static bool fits(const struct appends_run *run, uint32_t op, const struct room *room)
{
    return !run->taken[op] && run->call[op] < room->first_return && run->ret[op] > room->last_call &&
           (run->home[op] == NONE || run->home[op] == room->epoch);
}

static void take_writer(struct appends_run *run, uint32_t epoch, struct appends_occurrence *o,
                        uint32_t writer)
{
    o->low = o->high = writer;
    o->op = run->tokens.writers[writer];
    o->call = run->call[o->op];
    o->ret = run->ret[o->op];
    run->taken[o->op] = true;
    run->epoch_of[o->op] = epoch;
    extend_zone(&run->epochs.data[epoch], o->call, o->ret);
}

/* If the token has no other open occurrence in the epoch: would its zone contain an equal append then, with no place for it? */
static bool leaves_out(struct appends_run *run, const struct appends_occurrence *o, const struct room *room,
                       uint32_t op)
{
    struct appends_epoch with = run->epochs.data[room->epoch];
    if (run->times[run->nodes.data[o->node].token] != 1)
        return false;
    extend_zone(&with, run->call[op], run->ret[op]);
    appends_work(run, o->high - o->low + 1);
    for (uint32_t k = o->low; k <= o->high; k++) {
        uint32_t other = run->tokens.writers[k];
        if (other != op && !run->taken[other] && is_inside(run, other, &with))
            return true;
    }
    return false;
}

/* Narrows an open occurrence down. How many writers are left for it. */
static uint32_t narrow(struct appends_run *run, struct appends_occurrence *o, const struct room *room)
{
    struct appends_occurrence narrow = *o;
    uint32_t left = 0;
    appends_work(run, o->high - o->low + 1);
    narrow.call = ORDER_NEVER;
    narrow.ret = 0;
    for (uint32_t k = o->low; k <= o->high && !run->why; k++) {
        uint32_t op = run->tokens.writers[k];
        if (!fits(run, op, room) || leaves_out(run, o, room, op))
            continue;
        narrow.low = left++ ? narrow.low : k;
        narrow.high = k;
        narrow.call = run->call[op] < narrow.call ? run->call[op] : narrow.call;
        narrow.ret = run->ret[op] > narrow.ret ? run->ret[op] : narrow.ret;
    }
    *o = narrow;
    if (left == 1)
        take_writer(run, room->epoch, o, o->low);
    return left;
}

/* ---- one epoch ---- */

static bool acts_in_order(const struct appends_run *run, uint32_t token)
{
    return !run->tokens.texts[token].nested;
}

/* An earlier occurrence of the same token in the epoch has an earlier writer. */
static bool order_equals(struct appends_run *run, const struct appends_epoch *e)
{
    struct appends_occurrence *o = &run->occurrences.data[e->first_token];
    bool possible = true;
    for (uint32_t k = 0; k < e->tokens; k++) {
        uint32_t token = run->nodes.data[o[k].node].token;
        if (acts_in_order(run, token) && run->next_low[token] > o[k].low)
            o[k].low = run->next_low[token];
        possible &= o[k].low <= o[k].high;
        run->next_low[token] = o[k].low + 1;
    }
    for (uint32_t k = e->tokens; k-- > 0;)
        run->next_low[run->nodes.data[o[k].node].token] = 0;
    for (uint32_t k = e->tokens; k-- > 0;) {
        uint32_t token = run->nodes.data[o[k].node].token;
        if (acts_in_order(run, token) && run->next_low[token] && run->next_low[token] - 1 <= o[k].high)
            o[k].high = run->next_low[token] - 2;
        possible &= o[k].low <= o[k].high && o[k].high != NONE;
        run->next_low[token] = o[k].high + 1;
    }
    for (uint32_t k = 0; k < e->tokens; k++)
        run->next_low[run->nodes.data[o[k].node].token] = 0;
    return possible;
}

static void list_returns(struct appends_run *run, const struct appends_epoch *e, uint32_t *first_return)
{
    struct walk back = {run, e, ORDER_NEVER, e->first_look + e->looks};
    for (uint32_t k = e->tokens; k-- > 0;) {
        uint32_t ret = run->occurrences.data[e->first_token + k].ret;
        walk_back(&back, k + 1);
        first_return[k] = back.bound;
        back.bound = ret < back.bound ? ret : back.bound;
    }
}

/* Shows a core what is around an occurrence. */
static void add_room(struct appends_run *run, const struct appends_epoch *e, uint32_t depth)
{
    appends_core_look(run, appends_look_at(run, e, depth));
    for (uint32_t k = 0; run->d && k < e->looks; k++)
        appends_core_look(run, run->by_depth[e->first_look + k]);
}

/* How often each token is open in the epoch, in run->times; or 0 again. */
static void count_open(struct appends_run *run, const struct appends_epoch *e, bool clear)
{
    for (uint32_t k = 0; k < e->tokens; k++) {
        const struct appends_occurrence *o = &run->occurrences.data[e->first_token + k];
        uint32_t *times = &run->times[run->nodes.data[o->node].token];
        *times = clear ? 0 : *times + (o->op == NONE);
    }
}

/* False: an occurrence has no writer. */
static bool narrow_tokens(struct appends_run *run, uint32_t epoch, uint32_t *first_return, bool *changed)
{
    const struct appends_epoch *e = &run->epochs.data[epoch];
    struct walk w = {run, e, run->call[e->root], e->first_look};
    list_returns(run, e, first_return);
    if (!order_equals(run, e))
        return false;
    for (uint32_t k = 0; k < e->tokens && !run->why; k++) {
        struct appends_occurrence *o = &run->occurrences.data[e->first_token + k], before = *o;
        walk_forward(&w, k);
        if (o->op == NONE) {
            struct room room = {epoch, w.bound, first_return[k]};
            if (!narrow(run, o, &room)) {
                add_room(run, e, k + 1);
                return false;
            }
            *changed |= o->op != NONE || before.call != o->call || before.ret != o->ret;
        }
        w.bound = o->call > w.bound ? o->call : w.bound;
    }
    return !run->why;
}

static bool narrow_epoch(struct appends_run *run, uint32_t epoch, uint32_t *first_return, bool *changed)
{
    count_open(run, &run->epochs.data[epoch], false);
    bool possible = narrow_tokens(run, epoch, first_return, changed);
    count_open(run, &run->epochs.data[epoch], true);
    return possible;
}

/* ---- guessing ---- */

static bool is_better(const struct appends_run *run, uint32_t op, uint32_t best, const struct room *room,
                      bool late)
{
    bool own = run->home[op] == room->epoch, best_own = run->home[best] == room->epoch;
    if (own != best_own)
        return own;
    return late || run->ret[op] < run->ret[best];
}

/* The writer that returns first, or the one that is called last; what must have acted in the epoch before all others. */
static uint32_t guess_writer(struct appends_run *run, const struct appends_occurrence *o,
                             const struct room *room)
{
    uint32_t best = NONE;
    bool late = appends_takes_late_writer(run, run->nodes.data[o->node].token);
    for (uint32_t k = o->low; k <= o->high; k++) {
        uint32_t op = run->tokens.writers[k];
        if (!fits(run, op, room) || leaves_out(run, o, room, op))
            continue;
        if (best == NONE || is_better(run, op, run->tokens.writers[best], room, late))
            best = k;
    }
    appends_work(run, o->high - o->low + 1);
    return best;
}

static bool guess_tokens(struct appends_run *run, uint32_t epoch, uint32_t *first_return)
{
    const struct appends_epoch *e = &run->epochs.data[epoch];
    struct walk w = {run, e, run->call[e->root], e->first_look};
    list_returns(run, e, first_return);
    for (uint32_t k = 0; k < e->tokens; k++) {
        struct appends_occurrence *o = &run->occurrences.data[e->first_token + k];
        walk_forward(&w, k);
        if (o->op == NONE) {
            struct room room = {epoch, w.bound, first_return[k]};
            uint32_t writer = guess_writer(run, o, &room);
            if (writer == NONE)
                return false;
            take_writer(run, epoch, o, writer);
        }
        w.bound = o->call > w.bound ? o->call : w.bound;
    }
    return true;
}

static bool guess_epoch(struct appends_run *run, uint32_t epoch, uint32_t *first_return)
{
    count_open(run, &run->epochs.data[epoch], false);
    bool possible = guess_tokens(run, epoch, first_return);
    count_open(run, &run->epochs.data[epoch], true);
    return possible;
}

/* ---- all together ---- */

static bool is_open(const struct appends_run *run, const struct appends_epoch *e)
{
    for (uint32_t k = 0; k < e->tokens; k++)
        if (run->occurrences.data[e->first_token + k].op == NONE)
            return true;
    return false;
}

/* False. */
static bool contradiction_in(struct appends_run *run, uint32_t epoch)
{
    appends_blame_epoch(run, epoch);
    return false;
}

/* What may have written a token that stays open is not free. */
static void reserve_writers(struct appends_run *run)
{
    for (size_t k = 0; k < run->occurrences.len; k++) {
        const struct appends_occurrence *o = &run->occurrences.data[k];
        for (uint32_t w = o->low; o->op == NONE && w <= o->high; w++)
            run->taken[run->tokens.writers[w]] = true;
    }
}

bool appends_choose_writers(struct appends_run *run)
{
    OWNED uint32_t *first_return = NEW_ARRAY(uint32_t, run->count);
    VEC(uint32_t) open = {0};
    bool possible = true, changed = true;
    for (uint32_t e = 0; e < run->epochs.len; e++)
        if (is_open(run, &run->epochs.data[e]))
            vec_push(&open, e);
    for (uint32_t round = 0; open.len && possible && changed && round < ROUNDS_MOST; round++) {
        changed = false;
        find_homes(run);
        for (size_t k = 0; possible && k < open.len; k++)
            possible = narrow_epoch(run, open.data[k], first_return, &changed) ||
                       contradiction_in(run, open.data[k]);
    }
    for (size_t k = 0; possible && k < open.len; k++)
        if (is_open(run, &run->epochs.data[open.data[k]])) {
            run->is_exact = false;
            possible = run->mode == APPENDS_RELAX || guess_epoch(run, open.data[k], first_return) ||
                       contradiction_in(run, open.data[k]);
        }
    if (possible)
        reserve_writers(run);
    vec_free(&open);
    return possible && !run->why;
}
