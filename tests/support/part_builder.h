/* SPDX-License-Identifier: Apache-2.0 */
/* Small random parts for tests of the algorithms, and a search through all
 * orders with a toy model of the object. Include after cmocka.h. */
#ifndef TESTS_PART_BUILDER_H
#define TESTS_PART_BUILDER_H

#include <stdio.h>
#include <string.h>

#include "monitor/deciders.h"
#include "spec/registry.h"

enum { TOY_STATE = 4, TOY_OPS = 32 };

/* Does operation `i` to `state` and tells the answer it gives. */
typedef plumb_value toy_model(const struct part *p, uint32_t i, int64_t *state);

/* How many random cases: with sanitizers each takes several times as long, and the others run without. */
#ifdef __SANITIZE_ADDRESS__
enum { BUILDER_SHARE = 6 };
#else
enum { BUILDER_SHARE = 1 };
#endif

struct builder {
    struct part part;
    struct history *history;
    struct plumb_spec_options options;
    uint64_t random;
    double call[TOY_OPS], ret[TOY_OPS], point[TOY_OPS];
    uint32_t count;
};

static inline struct builder builder_create(const char *spec, uint64_t seed)
{
    struct builder b = {.history = history_create(), .random = seed * 2 + 1};
    b.part.spec = spec_find(spec);
    assert_non_null(b.part.spec);
    b.options.values = b.history->values;
    b.options.initial = PLUMB_OK;
    return b;
}

static inline uint32_t builder_op(const struct builder *b, const char *name)
{
    uint32_t op = spec_operation(b->part.spec, name);
    assert_true(op != UINT32_MAX);
    return op;
}

static inline plumb_value builder_int(const struct builder *b, int64_t i)
{
    return plumb_int(b->history->values, i);
}

static inline plumb_value builder_pair(const struct builder *b, plumb_value first, plumb_value second)
{
    return plumb_array(b->history->values, (plumb_value[]){first, second}, 2);
}

/* A number below `bound`. */
static inline uint32_t builder_random(struct builder *b, uint32_t bound)
{
    b->random ^= b->random << 13;
    b->random ^= b->random >> 7;
    b->random ^= b->random << 17;
    return (uint32_t)((b->random >> 20) % bound);
}

static inline bool builder_chance(struct builder *b, uint32_t percent)
{
    return builder_random(b, 100) < percent;
}

static inline double builder_fraction(struct builder *b)
{
    return (builder_random(b, 1u << 30) + 0.5) / (1u << 30);
}

static inline void builder_clear(struct builder *b)
{
    part_free(&b->part);
    b->history->ops.len = 0;
    b->count = 0;
}

static inline void builder_destroy(struct builder *b)
{
    builder_clear(b);
    history_destroy(b->history);
}

static inline uint32_t builder_add(struct builder *b, uint32_t op, plumb_value arg, plumb_value result,
                                   bool pending)
{
    struct history_op o = {
        .arg = arg, .result = pending ? PLUMB_ANY : result, .op = (uint16_t)op, .pending = pending};
    history_add(b->history, o, 0);
    return b->count++;
}

/* The same, with given times; builder_finish ranks them. */
static inline void builder_add_at(struct builder *b, const char *op, plumb_value arg, plumb_value result,
                                  double call, double ret)
{
    uint32_t i = builder_add(b, builder_op(b, op), arg, result, ret < 0);
    b->call[i] = call;
    b->ret[i] = ret;
}

static inline void builder_finish(struct builder *b)
{
    struct order *o = &b->part.order;
    b->part.history = b->history;
    b->part.options = &b->options;
    *o = (struct order){
        .count = b->count,
        .call = NEW_ARRAY(uint32_t, b->count),
        .ret = NEW_ARRAY(uint32_t, b->count),
        .event = NEW_ARRAY(uint32_t, 2 * b->count),
    };
    uint8_t state[TOY_OPS] = {0};
    for (uint32_t i = 0; i < b->count; i++)
        o->ret[i] = ORDER_NEVER;
    for (;;) {
        uint32_t next = UINT32_MAX;
        double best = 1e300;
        for (uint32_t i = 0; i < b->count; i++) {
            bool over = state[i] == 2 || (state[i] == 1 && history_get(b->history, i).pending);
            double t = state[i] ? b->ret[i] : b->call[i];
            if (!over && t < best) {
                best = t;
                next = i;
            }
        }
        if (next == UINT32_MAX)
            return;
        (state[next] ? o->ret : o->call)[next] = o->event_count;
        o->event[o->event_count++] = next << 1 | state[next];
        state[next]++;
    }
}

/* Random times for all operations; `spread` is the longest duration where 1 is the whole history. */
static inline void builder_time(struct builder *b, double spread)
{
    for (uint32_t i = 0; i < b->count; i++) {
        double length = builder_fraction(b) * spread;
        b->call[i] = builder_fraction(b);
        b->ret[i] = b->call[i] + length;
        b->point[i] = b->call[i] + builder_fraction(b) * length;
    }
    builder_finish(b);
}

/* Gives every completed operation the answer it would have, happening at its point; pending ones
 * happen or not. */
static inline void builder_answer(struct builder *b, toy_model *model, const int64_t *initial)
{
    int64_t state[TOY_STATE];
    bool done[TOY_OPS] = {false};
    memcpy(state, initial, sizeof state);
    for (uint32_t k = 0; k < b->count; k++) {
        uint32_t next = UINT32_MAX;
        for (uint32_t i = 0; i < b->count; i++)
            if (!done[i] && (next == UINT32_MAX || b->point[i] < b->point[next]))
                next = i;
        done[next] = true;
        struct history_op *op = history_change(b->history, next);
        if (op->pending && builder_chance(b, 50))
            continue;
        plumb_value answer = model(&b->part, next, state);
        if (!op->pending)
            op->result = answer;
    }
}

/* Moves some operations without touching their answers: what they saw may now come too early or late. */
static inline void builder_shake(struct builder *b, double distance)
{
    part_free(&b->part);
    for (uint32_t i = 0; i < b->count; i++) {
        double by = builder_chance(b, 40) ? (builder_fraction(b) - 0.5) * distance : 0;
        b->call[i] += by;
        b->ret[i] += by;
    }
    builder_finish(b);
}

static inline bool toy_fits(const struct part *p, uint32_t i, plumb_value answer)
{
    const struct history_op *op = part_op(p, i);
    return op->pending || op->result == PLUMB_ANY || op->result == answer;
}

static inline bool toy_search(const struct part *p, toy_model *model, uint32_t done, const int64_t *state)
{
    bool complete = true;
    uint32_t first_return = ORDER_NEVER;
    for (uint32_t i = 0; i < p->order.count; i++)
        if (!(done >> i & 1) && p->order.ret[i] != ORDER_NEVER) {
            complete = false;
            first_return = p->order.ret[i] < first_return ? p->order.ret[i] : first_return;
        }
    if (complete)
        return true;
    for (uint32_t i = 0; i < p->order.count; i++) {
        if ((done >> i & 1) || p->order.call[i] > first_return)
            continue;
        int64_t next[TOY_STATE];
        memcpy(next, state, sizeof next);
        if (toy_fits(p, i, model(p, i, next)) && toy_search(p, model, done | 1u << i, next))
            return true;
    }
    return false;
}

static inline void toy_check_witness(const struct part *p, const struct decision *d, toy_model *model,
                                     const int64_t *initial)
{
    int64_t state[TOY_STATE];
    bool done[TOY_OPS] = {false};
    memcpy(state, initial, sizeof state);
    for (size_t k = 0; k < d->witness.len; k++) {
        uint32_t i = d->witness.data[k];
        assert_true(i < p->order.count && !done[i]);
        for (uint32_t j = 0; j < p->order.count; j++)
            assert_false(!done[j] && j != i && p->order.ret[j] < p->order.call[i]);
        done[i] = true;
        assert_true(toy_fits(p, i, model(p, i, state)));
    }
    for (uint32_t i = 0; i < p->order.count; i++)
        assert_true(done[i] || p->order.ret[i] == ORDER_NEVER);
}

/* Objects that do not fall apart into values get their core from the general search (monitor/decider_tools.h). */
static inline bool toy_has_core(const struct part *p)
{
    bool plain = p->spec->kind == PLUMB_KIND_MAP || p->spec->kind == PLUMB_KIND_KV;
    for (uint32_t i = 0; i < p->order.count && plain; i++)
        plain = part_role(p, i) == PLUMB_WRITES || part_role(p, i) == PLUMB_READS;
    return plain || p->spec->kind == PLUMB_KIND_REGISTER || spec_is_container(p->spec);
}

/* The core alone is not linearizable. */
static inline void toy_check_core(const struct part *p, const struct decision *d, toy_model *model,
                                  const int64_t *initial)
{
    assert_true(d->core.len > 0);
    if (!toy_has_core(p))
        return;
    struct part q = part_restrict(p, d->core.data, (uint32_t)d->core.len);
    assert_false(toy_search(&q, model, 0, initial));
    part_free(&q);
}

struct tally {
    uint64_t holds, violated, not_mine, core_ops;
};

/* Decides the built part and compares with the search through all orders. */
static inline void toy_compare(struct builder *b, decider *decide, toy_model *model, const int64_t *initial,
                               struct tally *tally)
{
    struct decision d = {0};
    struct budget budget = budget_start(0, 0);
    enum verdict verdict = decide(&b->part, &budget, &d);
    assert_int_equal(verdict, d.verdict);
    assert_true(verdict != VERDICT_INCONCLUSIVE);
    if (verdict == VERDICT_NONE) {
        assert_non_null(d.why);
        tally->not_mine++;
    } else {
        bool holds = toy_search(&b->part, model, 0, initial);
        assert_int_equal(holds, verdict == VERDICT_HOLDS);
        if (holds)
            toy_check_witness(&b->part, &d, model, initial);
        else
            toy_check_core(&b->part, &d, model, initial);
        tally->holds += holds;
        tally->violated += !holds;
        tally->core_ops += d.core.len;
    }
    decision_free(&d);
}

static inline void tally_report(const struct tally *t, const char *what)
{
    uint64_t decided = t->holds + t->violated;
    printf("%s: %lu hold, %lu violated (cores of %.1f operations), %lu not decided\n", what,
           (unsigned long)t->holds, (unsigned long)t->violated,
           t->violated ? (double)t->core_ops / (double)t->violated : 0.0, (unsigned long)t->not_mine);
    assert_true(decided * 10 > (decided + t->not_mine) * 3);
    assert_true(t->holds * 10 > decided && t->violated * 10 > decided);
}

#endif
