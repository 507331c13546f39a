/* SPDX-License-Identifier: Apache-2.0 */
/* The judge on executions made by hand: each one is a way to get it wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "judge/judge.h"
#include "judge/judge_state.h"
#include "oracle/sketch.h"
#include "spec/registry.h"

#include <string.h>

struct bench {
    struct plumb_values *values;
    struct plumb_spec_options options;
    const struct plumb_spec *specs[2];
    struct judge_settings settings;
    struct judge *judge;
};

static void open_bench(struct bench *b, const char *spec)
{
    memset(b, 0, sizeof *b);
    b->values = plumb_values_create();
    b->options = (struct plumb_spec_options){.values = b->values, .initial = PLUMB_OK};
    b->specs[0] = b->specs[1] = spec_find(spec);
    b->settings = (struct judge_settings){.specs = b->specs, .objects = 2, .options = &b->options};
    b->judge = judge_new(&b->settings);
}

static void close_bench(struct bench *b)
{
    judge_free(b->judge);
    plumb_values_destroy(b->values);
}

static plumb_value number(int64_t i)
{
    return plumb_int(NULL, i);
}

/* Adds an operation of a thread of its own; result PLUMB_ANY: pending. */
static uint32_t add(const struct bench *b, struct judge_execution *x, const char *name, plumb_value arg,
                    plumb_value result)
{
    uint32_t i = x->count++;
    x->ops[i] =
        (struct judge_op){.arg = arg, .result = result, .op = spec_operation(b->specs[0], name), .thread = i};
    x->hint[i] = (uint8_t)i;
    if (result != PLUMB_ANY)
        x->completed |= judge_bit(i);
    return i;
}

static void overlap(struct judge_execution *x, uint32_t called, uint32_t returned)
{
    x->knows[called] |= judge_bit(returned);
}

static enum verdict judged(struct bench *b, const struct judge_execution *x)
{
    struct judge_violation v;
    enum verdict verdict = judge_decide(b->judge, x, &v);
    if (verdict == VERDICT_VIOLATED)
        assert_int_equal(judge_confirm(&b->settings, x, &v), VERDICT_VIOLATED);
    assert_int_equal(judge_decide(b->judge, x, NULL), verdict);
    return verdict;
}

/* --- one order in time ------------------------------------------------------------------------------------------------ */

/* enq(1) and deq = empty are fine as they are; a client that orders them is not content. */
static void clients_may_order_more(void **state)
{
    (void)state;
    struct bench b;
    struct judge_execution x = {.timed = true};
    struct judge_violation v;
    open_bench(&b, "queue");
    uint32_t enq = add(&b, &x, "enq", number(1), PLUMB_OK), deq = add(&b, &x, "deq", PLUMB_OK, PLUMB_NONE);
    assert_int_equal(judge_decide(b.judge, &x, &v), VERDICT_VIOLATED);
    assert_int_equal(v.orders[enq], judge_bit(deq));
    assert_true(v.stamped && v.ret[enq] < v.call[deq]);
    overlap(&x, deq, enq); /* the dequeue surely begins before the enqueue is over */
    assert_int_equal(judged(&b, &x), VERDICT_HOLDS);
    close_bench(&b);
}

/* An execution with fewer overlaps is not recognised by the certificate of one with more. */
static void certificates_say_what_they_need(void **state)
{
    (void)state;
    struct bench b;
    struct judge_execution x = {.timed = true};
    open_bench(&b, "queue");
    uint32_t enq = add(&b, &x, "enq", number(1), PLUMB_OK), deq = add(&b, &x, "deq", PLUMB_OK, PLUMB_NONE);
    uint32_t other = add(&b, &x, "enq", number(2), PLUMB_OK);
    overlap(&x, deq, enq);
    overlap(&x, deq, other);
    overlap(&x, enq, other);
    assert_int_equal(judged(&b, &x), VERDICT_HOLDS);
    x.knows[enq] = 0; /* of no importance */
    uint64_t recognised = judge_counts(b.judge)->recognised;
    assert_int_equal(judged(&b, &x), VERDICT_HOLDS);
    assert_int_equal(judge_counts(b.judge)->recognised, recognised + 2);
    x.knows[deq] = judge_bit(enq);
    assert_int_equal(judged(&b, &x), VERDICT_VIOLATED);
    close_bench(&b);
}

/* deq's call gets to enq's return only by way of another thread's two operations. */
static void needs_follow_a_way(void **state)
{
    (void)state;
    struct bench b;
    struct judge_execution x = {.timed = true};
    open_bench(&b, "queue");
    uint32_t enq = add(&b, &x, "enq", number(1), PLUMB_OK), deq = add(&b, &x, "deq", PLUMB_OK, PLUMB_NONE);
    uint32_t first = add(&b, &x, "deq", PLUMB_OK, PLUMB_NONE),
             second = add(&b, &x, "deq", PLUMB_OK, PLUMB_NONE);
    x.after[first] = judge_bit(second);
    overlap(&x, deq, first);
    overlap(&x, second, enq);
    assert_int_equal(judged(&b, &x), VERDICT_HOLDS);
    x.knows[deq] = 0;
    assert_int_equal(judged(&b, &x), VERDICT_VIOLATED);
    overlap(&x, deq, first);
    x.knows[second] = 0;
    assert_int_equal(judged(&b, &x), VERDICT_VIOLATED);
    close_bench(&b);
}

/* Results, pending operations and the ending belong to what is recognised. */
static void outcomes_are_distinguished(void **state)
{
    (void)state;
    struct bench b;
    struct judge_execution x = {.timed = true};
    open_bench(&b, "semaphore");
    add(&b, &x, "release", PLUMB_OK, PLUMB_OK);
    uint32_t waiter = add(&b, &x, "acquire", PLUMB_OK, PLUMB_OK);
    overlap(&x, 0, waiter);
    assert_int_equal(judged(&b, &x), VERDICT_HOLDS);
    x.completed &= ~judge_bit(waiter);
    x.ops[waiter].result = PLUMB_ANY;
    x.ending = JUDGE_CUT;
    assert_int_equal(judged(&b, &x), VERDICT_HOLDS);
    x.ending = JUDGE_STUCK; /* it need not have waited */
    assert_int_equal(judged(&b, &x), VERDICT_VIOLATED);
    x.count = 1;
    x.completed = 0;
    x.ops[0] = x.ops[waiter]; /* alone it has to, unless the semaphore began with something in it */
    x.ops[0].thread = 0;
    x.knows[0] = 0;
    void *start = b.specs[0]->init(&b.options);
    struct plumb_call call = {.op = x.ops[0].op, .arg = PLUMB_OK, .result = PLUMB_ANY};
    bool waits = spec_blocks(b.specs[0], start, &call);
    b.specs[0]->destroy(start);
    assert_int_equal(judged(&b, &x), waits ? VERDICT_HOLDS : VERDICT_VIOLATED);
    close_bench(&b);
}

/* Each of two waiting operations needs a reason of its own. */
static void every_waiter_counts(void **state)
{
    (void)state;
    struct bench b;
    struct judge_execution x = {.timed = true, .ending = JUDGE_STUCK};
    open_bench(&b, "event");
    add(&b, &x, "wait", PLUMB_OK, PLUMB_ANY);
    assert_int_equal(judged(&b, &x), VERDICT_HOLDS);
    add(&b, &x, "set", PLUMB_OK, PLUMB_ANY); /* nothing keeps a set from happening */
    assert_int_equal(judged(&b, &x), VERDICT_VIOLATED);
    close_bench(&b);
}

static void sixty_four_and_more(void **state)
{
    (void)state;
    struct bench b;
    struct judge_execution x = {.timed = true};
    open_bench(&b, "counter");
    for (uint32_t i = 0; i < JUDGE_OPS_MAX; i++) {
        add(&b, &x, "fetch_add", number(1), number(i));
        x.after[i] = i == 63 ? 0 : ~UINT64_C(0) << (i + 1);
    }
    assert_int_equal(judged(&b, &x), VERDICT_HOLDS);
    x.ops[63].result = number(62);
    assert_int_equal(judged(&b, &x), VERDICT_VIOLATED);
    x.count = JUDGE_OPS_MAX + 1;
    assert_int_equal(judge_decide(b.judge, &x, NULL), VERDICT_INCONCLUSIVE);
    assert_string_equal(judge_limit(b.judge), "more than 64 operations in one execution");
    close_bench(&b);
}

static void effort_is_limited(void **state)
{
    (void)state;
    struct bench b;
    struct judge_execution x = {.timed = true};
    open_bench(&b, "queue");
    judge_free(b.judge);
    b.settings.effort = 10;
    b.judge = judge_new(&b.settings);
    for (uint32_t i = 0; i < 10; i++)
        add(&b, &x, i % 2 ? "deq" : "enq", i % 2 ? PLUMB_OK : number(i),
            i % 2 ? number(8 - (int64_t)i + 1) : PLUMB_OK);
    assert_int_equal(judge_decide(b.judge, &x, NULL), VERDICT_INCONCLUSIVE);
    assert_non_null(judge_limit(b.judge));
    close_bench(&b);
}

/* Nothing is lost but time when the judge has to forget. */
static void forgetting_changes_nothing(void **state)
{
    (void)state;
    struct bench b;
    open_bench(&b, "queue");
    judge_free(b.judge);
    b.settings.entries_most = 1;
    b.judge = judge_new(&b.settings);
    for (int round = 0; round < 3; round++) {
        struct judge_execution x = {.timed = true};
        uint32_t enq = add(&b, &x, "enq", number(1), PLUMB_OK),
                 deq = add(&b, &x, "deq", PLUMB_OK, PLUMB_NONE);
        assert_int_equal(judged(&b, &x), VERDICT_VIOLATED);
        overlap(&x, deq, enq);
        assert_int_equal(judged(&b, &x), VERDICT_HOLDS);
    }
    close_bench(&b);
}

/* --- weak memory -------------------------------------------------------------------------------------------------------- */

static void hinder_all(struct judge_execution *x)
{
    for (uint32_t i = 0; i < x->count; i++)
        for (uint32_t k = 0; k < x->count; k++)
            x->hinder[i] |= i != k ? judge_bit(k) : 0;
}

/* Two pairs, add(i) before contains(i), that do not concern each other. A client that orders them crosswise is not
 * content, though either order alone is fine: possible where nothing but overwriting orders the pairs. */
static void two_orders_together(void **state)
{
    (void)state;
    struct bench b;
    struct judge_execution x = {0};
    open_bench(&b, "set");
    uint32_t a1 = add(&b, &x, "add", number(1), PLUMB_TRUE),
             c1 = add(&b, &x, "contains", number(1), PLUMB_TRUE);
    uint32_t a2 = add(&b, &x, "add", number(2), PLUMB_TRUE),
             c2 = add(&b, &x, "contains", number(2), PLUMB_TRUE);
    hinder_all(&x);
    x.hinder[a2] &= ~judge_bit(c1); /* c1 -> a2 is possible */
    assert_int_equal(judged(&b, &x), VERDICT_HOLDS);
    x.hinder[a1] &= ~judge_bit(c2); /* and c2 -> a1 */
    assert_int_equal(judged(&b, &x), VERDICT_VIOLATED);
    x.causes[a1] = judge_bit(c1); /* with causes they are not possible together */
    x.causes[a2] = judge_bit(c2);
    assert_int_equal(judged(&b, &x), VERDICT_HOLDS);
    x.causes[a2] = 0; /* and the certificate says so */
    assert_int_equal(judged(&b, &x), VERDICT_VIOLATED);
    close_bench(&b);
}

/* The same, with a third pair that has no causes, so that every order has to be tried. */
static void causes_hinder_together(void **state)
{
    (void)state;
    struct bench b;
    struct judge_execution x = {0};
    open_bench(&b, "set");
    uint32_t a1 = add(&b, &x, "add", number(1), PLUMB_TRUE),
             c1 = add(&b, &x, "contains", number(1), PLUMB_TRUE);
    uint32_t a2 = add(&b, &x, "add", number(2), PLUMB_TRUE),
             c2 = add(&b, &x, "contains", number(2), PLUMB_TRUE);
    add(&b, &x, "add", number(3), PLUMB_TRUE);
    add(&b, &x, "contains", number(3), PLUMB_TRUE);
    hinder_all(&x);
    x.hinder[a2] &= ~judge_bit(c1);
    x.hinder[a1] &= ~judge_bit(c2);
    x.causes[a1] = judge_bit(c1);
    x.causes[a2] = judge_bit(c2);
    assert_int_equal(judged(&b, &x), VERDICT_HOLDS);
    x.causes[a1] = 0; /* everything was needed */
    assert_int_equal(judged(&b, &x), VERDICT_VIOLATED);
    close_bench(&b);
}

/* Two threads of two operations each: no intervals say so, equal stamps do. A pending operation after all of them has
 * a stamp of its own. */
static void threads_at_one_stamp(void **state)
{
    (void)state;
    struct bench b;
    struct judge_execution x = {.ending = JUDGE_CUT};
    struct judge_violation v;
    open_bench(&b, "set");
    for (uint32_t i = 0; i < 4; i++) {
        add(&b, &x, "contains", number(1), PLUMB_TRUE);
        x.ops[i].thread = i / 2;
    }
    uint32_t last = add(&b, &x, "contains", number(1), PLUMB_ANY);
    x.after[0] = judge_bit(1);
    x.after[2] = judge_bit(3);
    for (uint32_t i = 0; i < 4; i++)
        x.after[i] |= judge_bit(last);
    assert_int_equal(judge_decide(b.judge, &x, &v), VERDICT_VIOLATED);
    assert_true(v.stamped);
    for (uint32_t i = 0; i < 4; i++)
        assert_true(v.call[i] == 1 && v.ret[i] == 1);
    assert_int_equal(v.call[last], 2);
    close_bench(&b);
}

static bool never(void *context, const uint64_t *orders)
{
    (void)orders;
    ++*(int *)context;
    return false;
}

/* The model has the last word; what it refused for one execution is not known of others. */
static void the_model_is_asked_last(void **state)
{
    (void)state;
    struct bench b;
    int asked = 0;
    struct judge_execution x = {.is_consistent = never, .context = &asked};
    open_bench(&b, "queue");
    add(&b, &x, "enq", number(1), PLUMB_OK);
    add(&b, &x, "deq", PLUMB_OK, PLUMB_NONE);
    assert_int_equal(judged(&b, &x), VERDICT_HOLDS);
    assert_true(asked > 0);
    x.is_consistent = NULL;
    assert_int_equal(judged(&b, &x), VERDICT_VIOLATED);
    close_bench(&b);
}

/* --- graphs --------------------------------------------------------------------------------------------------------------- */

static void sketch_step(struct sketch *s, uint8_t thread, uint8_t kind, uint8_t other, uint8_t location,
                        uint8_t order)
{
    if (kind == SKETCH_WRITE)
        s->mo[location][s->mo_count[location]++] = (uint8_t)s->count;
    s->events[s->count++] = (struct sketch_event){kind, thread, location, order, other, SKETCH_INITIAL};
}

/* Two writers and two readers, one operation each: Wsc x | Rsc y = 0 | Wsc y | Rsc x = 0. A client that orders 0 -> 1
 * and 2 -> 3 makes seq_cst impossible, by program order to and from what it synchronizes with. A weak
 * access keeps this from being sequential consistency. */
static void clients_take_part_in_seq_cst(void **state)
{
    (void)state;
    struct sketch s = {.spec = "register", .op_count = 4};
    static const uint8_t kinds[] = {SKETCH_WRITE, SKETCH_READ, SKETCH_WRITE, SKETCH_READ},
                         at[] = {0, 1, 1, 0};
    for (uint8_t t = 0; t < 4; t++) {
        s.ops[t] = (struct sketch_op){"read", PLUMB_OK, 0, t, 0, true, true};
        sketch_step(&s, t, SKETCH_CALL, t, 0, 0);
        sketch_step(&s, t, kinds[t], 0, at[t], ORDER_SEQ_CST);
        sketch_step(&s, t, SKETCH_RETURN, t, 0, 0);
    }
    sketch_step(&s, 4, SKETCH_READ, 0, 2, ORDER_RELAXED);
    struct graph *g = sketch_graph(&s, &model_rc11, NULL, 0);
    struct judge_graph *reader = judge_graph_new(&model_rc11);
    struct judge_op ops[4] = {0};
    struct judge_execution x;
    assert_true(judge_graph_read(reader, g, ops, 4, &x));
    assert_false(x.timed);
    const uint64_t one[4] = {judge_bit(1)}, both[4] = {judge_bit(1), 0, judge_bit(3)};
    assert_true(x.is_consistent(x.context, one));
    assert_false(x.is_consistent(x.context, both));
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(x.causes[i] & ~judge_bit(i), 0);
    struct graph *client = sketch_graph(&s, &model_rc11, both, 0); /* the same with real accesses */
    assert_false(model_is_consistent_full(&model_rc11, client));
    graph_free(client);
    graph_free(g);
    judge_graph_free(reader);
}

/* Where operations begin and end must not make a difference to seq_cst: between two accesses of one location, a mark is
 * no access of another. */
static void marks_are_no_accesses(void **state)
{
    (void)state;
    for (int marks = 0; marks < 2; marks++) {
        struct sketch s = {.spec = "register", .op_count = 1};
        sketch_step(&s, 1, SKETCH_WRITE, 0, 0, ORDER_SEQ_CST); /* x = 1 sc; x = 2 rel */
        if (marks)
            sketch_step(&s, 1, SKETCH_CALL, 0, 0, 0);
        sketch_step(&s, 1, SKETCH_WRITE, 0, 0, ORDER_RELEASE);
        sketch_step(&s, 2, SKETCH_READ, 0, 0, ORDER_ACQUIRE); /* x = 2 acq; y = 0 sc */
        s.events[s.count - 1].from = (int16_t)(s.count - 2);
        sketch_step(&s, 2, SKETCH_READ, 0, 1, ORDER_SEQ_CST);
        sketch_step(&s, 3, SKETCH_WRITE, 0, 1, ORDER_SEQ_CST); /* y = 1 sc; x = 0 sc */
        sketch_step(&s, 3, SKETCH_READ, 0, 0, ORDER_SEQ_CST);
        struct graph *g = sketch_graph(&s, &model_rc11, NULL, 0);
        assert_true(model_is_consistent_full(&model_rc11, g));
        graph_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clients_may_order_more),
        cmocka_unit_test(certificates_say_what_they_need),
        cmocka_unit_test(needs_follow_a_way),
        cmocka_unit_test(outcomes_are_distinguished),
        cmocka_unit_test(every_waiter_counts),
        cmocka_unit_test(sixty_four_and_more),
        cmocka_unit_test(effort_is_limited),
        cmocka_unit_test(forgetting_changes_nothing),
        cmocka_unit_test(two_orders_together),
        cmocka_unit_test(causes_hinder_together),
        cmocka_unit_test(threads_at_one_stamp),
        cmocka_unit_test(the_model_is_asked_last),
        cmocka_unit_test(clients_take_part_in_seq_cst),
        cmocka_unit_test(marks_are_no_accesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
