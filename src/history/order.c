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

/* The events of a thread that are left. */
struct lane {
    uint64_t ret_key; /* of the operation looked at last */
    uint32_t next, end;
};

struct ranking {
    const struct history *h;
    struct order *order;
    uint32_t threads;
    uint32_t *by_thread; /* operations by thread, in program order */
    uint32_t *start;     /* thread -> first place in by_thread; one more at the end */

    struct lane *lanes;
    uint64_t *key;        /* stamp of the next event of each thread, as an unsigned number */
    uint32_t *winner;     /* node -> thread; the children of node i are 2i and 2i + 1 */
    uint32_t leaves;      /* power of two; leaf of thread t is node leaves + t */
    VEC(struct run) runs; /* events of the stamp being placed, a run per thread */
    uint32_t placed;
};

/* ---- threads and program order ---- */

static bool fail_backwards(const struct history *h, size_t i, struct diagnostic *d)
{
    const struct history_op *op = history_at(h, i);
    return diagnostic_set(d, PL_RETURN_BEFORE_CALL, history_line(h, i), 1,
                          "the operation returns at %lld, before its call at %lld", (long long)op->ret,
                          (long long)op->call);
}

/* Counts events, threads and the operations of each of them: those of t in start[t + 2]. */
static bool count_events(struct ranking *r, struct diagnostic *d)
{
    VEC(uint32_t) counts = {0};
    uint32_t returns = 0;
    vec_push(&counts, 0);
    vec_push(&counts, 0);
    bool fine = true;
    for (size_t i = 0; i < r->h->ops.len && fine; i++) {
        struct history_op op = history_get(r->h, i);
        fine = op.pending || op.call <= op.ret || fail_backwards(r->h, i, d);
        returns += !op.pending;
        while (counts.len <= (size_t)op.thread + 2)
            vec_push(&counts, 0);
        counts.data[op.thread + 2]++;
    }
    r->start = counts.data;
    r->threads = (uint32_t)counts.len - 2;
    r->order->count = (uint32_t)r->h->ops.len;
    r->order->event_count = r->order->count + returns;
    return fine;
}

static bool follows(const struct history_op *earlier, const struct history_op *later)
{
    return !earlier->pending && earlier->ret <= later->call;
}

/* Fills by_thread. True when every thread's operations are in program order already. */
static bool sort_by_thread(struct ranking *r)
{
    bool in_order = true;
    uint32_t *start = r->start, count = r->order->count;
    r->by_thread = NEW_ARRAY(uint32_t, count);
    /* While filling, start[t + 1] is the next place of t. */
    for (uint32_t t = 2; t < r->threads + 2; t++)
        start[t] += start[t - 1];
    OWNED struct history_op *last = NEW_ARRAY(struct history_op, r->threads);
    for (uint32_t t = 0; t < r->threads; t++)
        last[t] = (struct history_op){.ret = INT64_MIN};
    for (uint32_t i = 0; i < count; i++) {
        struct history_op op = history_get(r->h, i);
        in_order &= follows(&last[op.thread], &op);
        last[op.thread].ret = op.ret;
        last[op.thread].pending = op.pending;
        r->by_thread[start[op.thread + 1]++] = i;
    }
    return in_order;
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

int order_compare_ops(const void *left, const void *right, void *context)
{
    const struct history *h = context;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    const struct history_op *x = history_at(h, a), *y = history_at(h, b);
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
    uint32_t thread = history_get(h, later).thread;
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
static bool sort_threads(struct ranking *r, struct diagnostic *d)
{
    for (uint32_t t = 0; t < r->threads; t++) {
        uint32_t *list = r->by_thread + r->start[t];
        uint32_t count = r->start[t + 1] - r->start[t];
        if (count > 1)
            qsort_r(list, count, sizeof *list, order_compare_ops, (void *)r->h);
        for (uint32_t i = 1; i < count; i++)
            if (!follows(history_at(r->h, list[i - 1]), history_at(r->h, list[i])))
                return fail_two_open(r->h, list[i - 1], list[i], d);
    }
    return true;
}

/* ---- the winner tree ---- */

static uint64_t key_of_stamp(int64_t stamp)
{
    return (uint64_t)stamp ^ (uint64_t)1 << 63;
}

static __attribute__((noinline)) uint64_t look_at_operation(const struct ranking *r, struct lane *l)
{
    struct history_op op = history_get(r->h, r->by_thread[l->next >> 1]);
    l->ret_key = key_of_stamp(op.ret);
    return key_of_stamp(op.call);
}

/* The key of the next event; an operation is looked at once. */
static uint64_t next_key(const struct ranking *r, struct lane *l)
{
    if (l->next == l->end)
        return KEY_LAST;
    return l->next & 1 ? l->ret_key : look_at_operation(r, l);
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
    r->lanes = NEW_ZEROED(struct lane, r->leaves);
    r->key = NEW_ARRAY(uint64_t, r->leaves);
    r->winner = NEW_ARRAY(uint32_t, (size_t)r->leaves * 2);
    for (uint32_t t = 0; t < r->leaves; t++) {
        struct lane *l = &r->lanes[t];
        if (t < r->threads && r->start[t] != r->start[t + 1]) {
            l->next = r->start[t] * 2;
            l->end = r->start[t + 1] * 2 - history_get(r->h, r->by_thread[r->start[t + 1] - 1]).pending;
        }
        r->key[t] = next_key(r, l);
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
static inline struct run take_run(struct ranking *r, uint32_t thread)
{
    struct lane *l = &r->lanes[thread];
    uint64_t key = r->key[thread], next;
    struct run run = {.from = l->next};
    do {
        l->next++;
        next = next_key(r, l);
    } while (next == key && l->next != l->end);
    run.to = l->next;
    r->key[thread] = next;
    update_tree(r, thread);
    return run;
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
    vec_clear(&r->runs);
}

/* One thread after the other, each with all its events of the least stamp. */
static void merge_threads(struct ranking *r)
{
    uint64_t key;
    while ((key = r->key[r->winner[1]]) != KEY_LAST) {
        struct run run = take_run(r, r->winner[1]);
        if (r->key[r->winner[1]] != key) {
            place_all(r, run);
            continue;
        }
        vec_push(&r->runs, run);
        while (r->key[r->winner[1]] == key)
            vec_push(&r->runs, take_run(r, r->winner[1]));
        place_shared_stamp(r);
    }
    /* Events left are at the greatest stamp there is; finished threads share its key. */
    for (uint32_t t = 0; t < r->threads; t++)
        if (r->lanes[t].next != r->lanes[t].end)
            vec_push(&r->runs, take_run(r, t));
    place_shared_stamp(r);
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
        if (history_get(h, i).pending)
            o->ret[i] = ORDER_NEVER;
}

static void ranking_free(struct ranking *r)
{
    free(r->by_thread);
    free(r->start);
    free(r->lanes);
    free(r->key);
    free(r->winner);
    vec_free(&r->runs);
}

bool order_rank(const struct history *h, struct order *out, struct diagnostic *d)
{
    *out = (struct order){0};
    CHECK(h->ops.len <= HISTORY_OPS_MAX);
    struct ranking r = {.h = h, .order = out};
    bool ok = count_events(&r, d) && (sort_by_thread(&r) || sort_threads(&r, d));
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
