/* SPDX-License-Identifier: Apache-2.0 */
/* Ranking by a merge of threads. Operations are counting-sorted by thread;
 * inside a thread they are sequential, so its calls and returns alternate and
 * their stamps ascend. Event e of the list `by_thread` is the call (e even) or
 * the return (e odd) of operation by_thread[e / 2]. A winner tree yields the
 * smallest stamp, and all events of one stamp are placed together. */
#include "history/order.h"

#include "base/check.h"
#include "base/text.h"
#include "history/value_text.h"

#include <string.h>

#define KEY_LAST UINT64_MAX /* the greatest stamp, or a thread without further events */

/* Consecutive events of one thread that have the same stamp. */
struct run {
    uint32_t from, to;
};

struct ranking {
    const struct history_op *ops;
    struct order *order;
    uint32_t threads;
    uint32_t *by_thread; /* operations by thread, in program order */
    uint32_t *start;     /* thread -> first place in by_thread; one more at the end */

    uint32_t *next, *end; /* events of each thread that are left */
    uint64_t *key;        /* stamp of event `next`, as an unsigned number */
    uint32_t *winner;     /* node -> thread; the children of node i are 2i and 2i + 1 */
    uint32_t leaves;      /* power of two; leaf of thread t is node leaves + t */
    VEC(struct run) runs; /* events of the stamp being placed, a run per thread */
    uint32_t placed;
};

/* ---- threads and program order ---- */

static uint32_t count_threads(const struct history *h)
{
    uint32_t threads = 0;
    for (size_t i = 0; i < h->ops.len; i++)
        if (h->ops.data[i].thread >= threads)
            threads = h->ops.data[i].thread + 1;
    return threads;
}

static bool follows(const struct history_op *earlier, const struct history_op *later)
{
    return !earlier->pending && earlier->ret <= later->call;
}

/* Fills start and by_thread. True when every thread's operations are in program order already. */
static bool sort_by_thread(struct ranking *r, uint32_t count)
{
    bool in_order = true;
    uint32_t *start = r->start = NEW_ZEROED(uint32_t, (size_t)r->threads + 2);
    r->by_thread = NEW_ARRAY(uint32_t, count);
    /* Counted two places further on, so that while filling, start[t + 1] is the next place of t. */
    for (uint32_t i = 0; i < count; i++)
        start[r->ops[i].thread + 2]++;
    for (uint32_t t = 2; t < r->threads + 2; t++)
        start[t] += start[t - 1];
    uint32_t *last = NEW_ARRAY(uint32_t, r->threads);
    for (uint32_t t = 0; t < r->threads; t++)
        last[t] = ORDER_NO_OP;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t t = r->ops[i].thread;
        in_order &= last[t] == ORDER_NO_OP || follows(&r->ops[last[t]], &r->ops[i]);
        last[t] = i;
        r->by_thread[start[t + 1]++] = i;
    }
    free(last);
    return in_order;
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

int order_compare_ops(const void *left, const void *right, void *context)
{
    const struct history_op *ops = context;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    const struct history_op *x = &ops[a], *y = &ops[b];
    if (x->call != y->call)
        return COMPARE(x->call, y->call);
    if (x->pending != y->pending)
        return COMPARE(x->pending, y->pending);
    if (!x->pending && x->ret != y->ret)
        return COMPARE(x->ret, y->ret);
    return COMPARE(a, b);
}

static bool fail_two_open(const struct history *h, uint32_t earlier, uint32_t later, struct diagnostic *d)
{
    uint32_t thread = h->ops.data[later].thread;
    struct text name = {0};
    if (thread < h->thread_names.len)
        value_print_short(&name, h->values, h->thread_names.data[thread]);
    else
        text_printf(&name, "%u", thread);
    diagnostic_set(d, PL_TWO_OPEN, history_line(h, later), 1,
                   "thread %s calls this operation while its operation of line %llu is still open", name.data,
                   (unsigned long long)history_line(h, earlier));
    text_free(&name);
    return false;
}

/* Sorts what is not in program order; fails when operations of a thread overlap. */
static bool sort_threads(struct ranking *r, const struct history *h, struct diagnostic *d)
{
    for (uint32_t t = 0; t < r->threads; t++) {
        uint32_t *list = r->by_thread + r->start[t];
        uint32_t count = r->start[t + 1] - r->start[t];
        if (count > 1)
            qsort_r(list, count, sizeof *list, order_compare_ops, (void *)r->ops);
        for (uint32_t i = 1; i < count; i++)
            if (!follows(&r->ops[list[i - 1]], &r->ops[list[i]]))
                return fail_two_open(h, list[i - 1], list[i], d);
    }
    return true;
}

/* Counts the events on the way. */
static bool check_stamps(const struct history *h, struct order *o, struct diagnostic *d)
{
    uint32_t returns = 0;
    for (size_t i = 0; i < h->ops.len; i++) {
        const struct history_op *op = &h->ops.data[i];
        if (!op->pending && op->ret < op->call)
            return diagnostic_set(d, PL_RETURN_BEFORE_CALL, history_line(h, i), 1,
                                  "the operation returns at %lld, before its call at %lld",
                                  (long long)op->ret, (long long)op->call);
        returns += !op->pending;
    }
    o->count = (uint32_t)h->ops.len;
    o->event_count = o->count + returns;
    return true;
}

/* ---- the winner tree ---- */

static uint64_t event_key(const struct ranking *r, uint32_t e)
{
    const struct history_op *op = &r->ops[r->by_thread[e >> 1]];
    return (uint64_t)(e & 1 ? op->ret : op->call) ^ (uint64_t)1 << 63;
}

static uint64_t next_key(const struct ranking *r, uint32_t thread)
{
    return r->next[thread] == r->end[thread] ? KEY_LAST : event_key(r, r->next[thread]);
}

static uint32_t better(const struct ranking *r, uint32_t a, uint32_t b)
{
    return r->key[b] < r->key[a] ? b : a;
}

static void build_tree(struct ranking *r)
{
    r->leaves = 1;
    while (r->leaves < r->threads)
        r->leaves *= 2;
    r->next = NEW_ARRAY(uint32_t, r->leaves);
    r->end = NEW_ARRAY(uint32_t, r->leaves);
    r->key = NEW_ARRAY(uint64_t, r->leaves);
    r->winner = NEW_ARRAY(uint32_t, (size_t)r->leaves * 2);
    for (uint32_t t = 0; t < r->leaves; t++) {
        r->next[t] = r->end[t] = 0;
        if (t < r->threads && r->start[t] != r->start[t + 1]) {
            r->next[t] = r->start[t] * 2;
            r->end[t] = r->start[t + 1] * 2 - r->ops[r->by_thread[r->start[t + 1] - 1]].pending;
        }
        r->key[t] = next_key(r, t);
        r->winner[r->leaves + t] = t;
    }
    for (uint32_t node = r->leaves - 1; node > 0; node--)
        r->winner[node] = better(r, r->winner[node * 2], r->winner[node * 2 + 1]);
}

/* After the key of `thread` has grown. */
static void update_tree(struct ranking *r, uint32_t thread)
{
    uint32_t best = thread;
    for (uint32_t node = r->leaves + thread; node > 1; node /= 2) {
        best = better(r, best, r->winner[node ^ 1]);
        r->winner[node / 2] = best;
    }
}

/* ---- placing ---- */

/* Takes the events of `thread` at its current stamp. */
static void take_run(struct ranking *r, uint32_t thread)
{
    uint64_t key = r->key[thread];
    struct run run = {r->next[thread], r->next[thread]};
    do
        run.to++;
    while (run.to != r->end[thread] && event_key(r, run.to) == key);
    r->next[thread] = run.to;
    vec_push(&r->runs, run);
}

static void place(struct ranking *r, uint32_t e)
{
    uint32_t op = r->by_thread[e >> 1], position = r->placed++;
    (e & 1 ? r->order->ret : r->order->call)[op] = position;
    r->order->event[position] = op << 1 | (e & 1);
}

static void place_all(struct ranking *r, struct run run)
{
    for (uint32_t e = run.from; e != run.to; e++)
        place(r, e);
}

/* The calls (parity 0) or the returns (1) of all runs but `except`. */
static void place_kind(struct ranking *r, uint32_t parity, size_t except)
{
    for (size_t i = 0; i < r->runs.len; i++)
        for (uint32_t e = r->runs.data[i].from; i != except && e != r->runs.data[i].to; e++)
            if ((e & 1) == parity)
                place(r, e);
}

/* A return with a later call at the same stamp: overlapping for others, in order for the thread itself. */
static bool run_has_tie(struct run run)
{
    uint32_t first_return = run.from | 1;
    return first_return + 1 < run.to;
}

static void note_program_order(struct ranking *r, struct run run)
{
    struct order *o = r->order;
    if (!o->after) {
        o->after = NEW_ARRAY(uint32_t, o->count);
        for (uint32_t i = 0; i < o->count; i++)
            o->after[i] = ORDER_NO_OP;
    }
    for (uint32_t call = (run.from | 1) + 1; call < run.to; call += 2)
        o->after[r->by_thread[call / 2]] = r->by_thread[call / 2 - 1];
}

/* Calls come before returns, except for the run of the only thread with a tie: it stands
 * between the calls and the returns of the others, and so overlaps all of them. */
static void place_shared_stamp(struct ranking *r)
{
    size_t ties = 0, tied = SIZE_MAX;
    for (size_t i = 0; i < r->runs.len; i++)
        if (run_has_tie(r->runs.data[i])) {
            ties++;
            tied = i;
        }
    if (ties != 1)
        tied = SIZE_MAX;
    place_kind(r, 0, tied);
    if (ties == 1)
        place_all(r, r->runs.data[tied]);
    place_kind(r, 1, tied);
    for (size_t i = 0; ties > 1 && i < r->runs.len; i++)
        if (run_has_tie(r->runs.data[i]))
            note_program_order(r, r->runs.data[i]);
}

static void place_runs(struct ranking *r)
{
    if (r->runs.len == 1)
        place_all(r, r->runs.data[0]);
    else
        place_shared_stamp(r);
    vec_clear(&r->runs);
}

static void merge_threads(struct ranking *r)
{
    uint64_t key;
    while ((key = r->key[r->winner[1]]) != KEY_LAST) {
        do {
            uint32_t thread = r->winner[1];
            take_run(r, thread);
            r->key[thread] = next_key(r, thread);
            update_tree(r, thread);
        } while (r->key[r->winner[1]] == key);
        place_runs(r);
    }
    /* Events left are at the greatest stamp there is; finished threads share its key. */
    for (uint32_t t = 0; t < r->threads; t++)
        if (r->next[t] != r->end[t])
            take_run(r, t);
    place_runs(r);
}

/* ---- the whole ---- */

static void allocate_order(struct order *o)
{
    o->call = NEW_ARRAY(uint32_t, o->count);
    o->ret = NEW_ARRAY(uint32_t, o->count);
    o->event = NEW_ARRAY(uint32_t, o->event_count);
}

static void mark_pending(const struct history *h, struct order *o)
{
    for (uint32_t i = 0; o->event_count != 2 * o->count && i < o->count; i++)
        if (h->ops.data[i].pending)
            o->ret[i] = ORDER_NEVER;
}

static void ranking_free(struct ranking *r)
{
    free(r->by_thread);
    free(r->start);
    free(r->next);
    free(r->end);
    free(r->key);
    free(r->winner);
    vec_free(&r->runs);
}

bool order_rank(const struct history *h, struct order *out, struct diagnostic *d)
{
    *out = (struct order){0};
    CHECK(h->ops.len <= HISTORY_OPS_MAX);
    if (!check_stamps(h, out, d))
        return false;
    struct ranking r = {.ops = h->ops.data, .order = out, .threads = count_threads(h)};
    bool ok = sort_by_thread(&r, out->count) || sort_threads(&r, h, d);
    if (ok) {
        allocate_order(out);
        build_tree(&r);
        merge_threads(&r);
        CHECK(r.placed == out->event_count);
        mark_pending(h, out);
    }
    ranking_free(&r);
    return ok;
}

void order_free(struct order *o)
{
    free(o->call);
    free(o->ret);
    free(o->event);
    free(o->after);
    *o = (struct order){0};
}
