/* SPDX-License-Identifier: Apache-2.0 */
/* Random histories of the toy specifications, ranked by sorting. */
#ifndef TESTS_TOY_HISTORIES_H
#define TESTS_TOY_HISTORIES_H

#include "monitor/part.h"
#include "toy_specs.h"

static uint64_t seed = 1;

static uint32_t below(uint32_t n)
{
    seed += 0x9e3779b97f4a7c15u;
    return (uint32_t)(hash_word(seed) >> 20) % n;
}

struct event {
    int64_t stamp;
    uint32_t code, key;
};

static int compare_events(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    if (x->stamp != y->stamp)
        return x->stamp < y->stamp ? -1 : 1;
    if ((x->code & 1) != (y->code & 1))
        return (x->code & 1) ? 1 : -1;
    return (x->key > y->key) - (x->key < y->key);
}

/* Program order at equal stamps. Operations of a thread are in the array in program order. */
static uint32_t *rank_ties(const struct history *h)
{
    uint32_t *after = NULL;
    for (uint32_t i = 0; i < h->ops.len; i++)
        for (uint32_t k = i; k-- > 0;) {
            const struct history_op *x = history_at(h, i), *y = history_at(h, k);
            if (x->thread != y->thread)
                continue;
            if (y->ret == x->call) {
                if (!after) {
                    after = NEW_ARRAY(uint32_t, h->ops.len);
                    memset(after, 0xff, h->ops.len * sizeof *after);
                }
                after[i] = k;
            }
            break;
        }
    return after;
}

/* Ranks with equal stamps in random order, calls before returns; all ties of a thread by `after`. */
static struct order rank(const struct history *h, bool ties)
{
    size_t n = 0;
    struct event *events = NEW_ARRAY(struct event, h->ops.len * 2);
    for (uint32_t i = 0; i < h->ops.len; i++) {
        const struct history_op *op = history_at(h, i);
        events[n++] = (struct event){op->call, i << 1, below(1000)};
        if (!op->pending)
            events[n++] = (struct event){op->ret, i << 1 | 1, below(1000)};
    }
    qsort(events, n, sizeof *events, compare_events);
    struct order o = {.count = (uint32_t)h->ops.len, .event_count = (uint32_t)n};
    o.call = NEW_ARRAY(uint32_t, o.count);
    o.ret = NEW_ARRAY(uint32_t, o.count);
    o.event = NEW_ARRAY(uint32_t, n);
    memset(o.ret, 0xff, o.count * sizeof *o.ret);
    for (uint32_t e = 0; e < n; e++) {
        o.event[e] = events[e].code;
        (events[e].code & 1 ? o.ret : o.call)[events[e].code >> 1] = e;
    }
    o.after = ties ? rank_ties(h) : NULL;
    free(events);
    return o;
}

static void add_ops(struct history *h, const struct plumb_spec *spec, uint32_t count, uint32_t threads)
{
    int64_t clock[64] = {0};
    bool ended[64] = {false};
    uint32_t gap = 1 + below(4), length = 1 + below(6);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t t = below(threads);
        if (ended[t])
            continue;
        struct history_op op = {.thread = t, .op = (uint16_t)below(spec->operation_count), .arg = PLUMB_OK};
        op.call = clock[t] + below(gap);
        op.ret = clock[t] = op.call + below(length);
        op.pending = below(8) == 0;
        ended[t] = op.pending;
        if (spec->operations[op.op].args[0])
            op.arg = toy_int(op.op == 2 ? 10 * below(3) + below(3) : 1 + below(2));
        op.result = PLUMB_ANY;
        rows_push(&h->ops, &op);
    }
}

static plumb_value other_result(plumb_value v)
{
    static const plumb_value values[] = {0 << 3, 1 << 3, 2 << 3, PLUMB_NONE};
    if (v == PLUMB_OK)
        return v;
    return plumb_is_bool(v) ? (v == PLUMB_TRUE ? PLUMB_FALSE : PLUMB_TRUE) : values[below(4)];
}

/* Answers as some order would give them, then some of them changed. */
static void answer_ops(struct history *h, const struct plumb_spec *spec, uint32_t changes)
{
    struct event *points = NEW_ARRAY(struct event, h->ops.len);
    for (uint32_t i = 0; i < h->ops.len; i++) {
        const struct history_op *op = history_change(h, i); /* pending ones have a place, too */
        points[i] = (struct event){op->call + below((uint32_t)(op->ret - op->call) + 1), i << 1, i};
    }
    qsort(points, h->ops.len, sizeof *points, compare_events);
    void *state = spec->init(NULL);
    for (size_t k = 0; k < h->ops.len; k++) {
        struct history_op *op = history_change(h, points[k].code >> 1);
        struct plumb_call call = {op->op, op->thread, op->arg, PLUMB_ANY};
        plumb_value result = PLUMB_OK;
        if (!below(2) || !spec->step(state, &call, 1, &result))
            spec->step(state, &call, 0, &result);
        if (below(100) < changes)
            result = other_result(result);
        op->result = op->pending || below(100) < changes / 2 ? PLUMB_ANY : result;
    }
    spec->destroy(state);
    free(points);
}

struct sample {
    struct history history;
    struct plumb_spec spec;
    struct part part;
};

static struct sample *make_sample(int toy, uint32_t count, uint32_t threads, uint32_t changes)
{
    struct sample *s = NEW(struct sample);
    s->spec = toy_specs[toy];
    if (below(2))
        s->spec.deterministic = false;
    add_ops(&s->history, &s->spec, count, threads);
    answer_ops(&s->history, &s->spec, changes);
    s->part = (struct part){.spec = &s->spec, .history = &s->history};
    s->part.order = rank(&s->history, true);
    return s;
}

static void free_sample(struct sample *s)
{
    part_free(&s->part);
    rows_free(&s->history.ops);
    free(s);
}

/* No thread ends, some operations of threads of their own are pending. */
static struct sample *make_long(int toy, uint32_t count, uint32_t threads, uint32_t pending)
{
    struct sample *s = NEW(struct sample);
    int64_t clock[64] = {0};
    s->spec = toy_specs[toy];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t t = i % threads;
        struct history_op op = {.thread = t, .op = (uint16_t)below(2), .arg = PLUMB_OK};
        op.call = clock[t] + 1 + below(8);
        op.ret = clock[t] = op.call + 1 + below(12);
        if (op.op == 0)
            op.arg = toy_int(1 + below(3));
        if (pending && below(count / pending) == 0) {
            op.thread = threads + i;
            op.pending = 1;
        }
        rows_push(&s->history.ops, &op);
    }
    answer_ops(&s->history, &s->spec, 0);
    s->part = (struct part){.spec = &s->spec, .history = &s->history};
    s->part.order = rank(&s->history, false);
    return s;
}

#endif
