/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/part_builder.h"

static const int64_t empty[TOY_STATE];

static plumb_value set_model(const struct part *p, uint32_t i, int64_t *state)
{
    const struct history_op *op = part_op(p, i);
    const char *name = p->spec->operations[op->op].name;
    int64_t *present = &state[plumb_int_of(p->history->values, op->arg)], before = *present;
    if (!strcmp(name, "add")) {
        *present = 1;
        return plumb_bool(!before);
    }
    if (!strcmp(name, "remove"))
        *present = 0;
    return plumb_bool(before);
}

static void draw_history(struct builder *b, uint32_t keys)
{
    static const char *const names[] = {"add", "remove", "contains"};
    static const double spreads[] = {0.1, 0.3, 1, 3};
    uint32_t count = 7 - builder_random(b, 1 + builder_random(b, 7));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t op = builder_op(b, names[builder_random(b, 3)]);
        builder_add(b, op, builder_int(b, builder_random(b, keys)), PLUMB_OK, builder_chance(b, 12));
    }
    builder_time(b, spreads[builder_random(b, 4)]);
    builder_answer(b, set_model, empty);
    if (builder_chance(b, 50))
        builder_shake(b, 1);
    bool lies = builder_chance(b, 30);
    for (uint32_t i = 0; i < count; i++) {
        struct history_op *op = history_change(b->history, i);
        if (!op->pending && lies && builder_chance(b, 30))
            op->result = op->result == PLUMB_TRUE ? PLUMB_FALSE : PLUMB_TRUE;
        if (!op->pending && builder_chance(b, 3))
            op->result = PLUMB_ANY;
    }
}

static void test_random_histories(void **unused)
{
    (void)unused;
    struct builder b = builder_create("set", 1);
    struct tally tally = {0};
    for (int round = 0; round < 120000; round++) {
        draw_history(&b, 1 + (uint32_t)round % 3);
        toy_compare(&b, set_decide, set_model, empty, &tally);
        builder_clear(&b);
    }
    tally_report(&tally, "set");
    builder_destroy(&b);
}

static void decide_by(decider *decide, struct builder *b, enum verdict expected, size_t core_length)
{
    struct decision d = {0};
    struct budget budget = budget_start(0, 0);
    builder_finish(b);
    assert_int_equal(decide(&b->part, &budget, &d), expected);
    assert_int_equal(d.core.len, core_length);
    decision_free(&d);
    builder_destroy(b);
}

static void decide_and_expect(struct builder *b, enum verdict expected, size_t core_length)
{
    decide_by(set_decide, b, expected, core_length);
}

/* Counting open operations is not enough. The remove is called too late to come between the adds. */
static void test_identities_matter(void **unused)
{
    (void)unused;
    struct builder b = builder_create("set", 1);
    plumb_value key = builder_int(&b, 7);
    builder_add_at(&b, "add", key, PLUMB_TRUE, 1, 10);
    builder_add_at(&b, "contains", key, PLUMB_TRUE, 2, 3);
    builder_add_at(&b, "add", key, PLUMB_TRUE, 4, 5);
    builder_add_at(&b, "remove", key, PLUMB_TRUE, 6, 7);
    decide_and_expect(&b, VERDICT_VIOLATED, 1);
}

static void test_pending_add_explains_a_question(void **unused)
{
    (void)unused;
    struct builder b = builder_create("set", 1);
    plumb_value key = builder_int(&b, 7);
    builder_add_at(&b, "add", key, PLUMB_ANY, 1, -1);
    builder_add_at(&b, "contains", key, PLUMB_TRUE, 2, 3);
    decide_and_expect(&b, VERDICT_HOLDS, 0);
}

/* What happened before the key was last known to be absent makes no difference. */
static void test_late_failure(void **unused)
{
    (void)unused;
    struct builder b = builder_create("set", 1);
    plumb_value key = builder_int(&b, 7);
    for (int round = 0; round < 8; round++) {
        builder_add_at(&b, "add", key, PLUMB_TRUE, 10 * round, 10 * round + 3);
        builder_add_at(&b, "contains", key, PLUMB_TRUE, 10 * round + 4, 10 * round + 5);
        builder_add_at(&b, "remove", key, PLUMB_TRUE, 10 * round + 6, 10 * round + 9);
    }
    builder_add_at(&b, "contains", key, PLUMB_TRUE, 100, 101);
    decide_and_expect(&b, VERDICT_VIOLATED, 1);
}

static void test_unknown_change_is_left_to_others(void **unused)
{
    (void)unused;
    struct builder b = builder_create("set", 1);
    builder_add_at(&b, "add", builder_int(&b, 1), PLUMB_ANY, 1, 2);
    decide_and_expect(&b, VERDICT_NONE, 0);
}

static plumb_value list(struct builder *b, int64_t first, int64_t last)
{
    plumb_value items[4];
    size_t count = 0;
    for (int64_t i = first; i <= last; i++)
        items[count++] = builder_int(b, i);
    return plumb_array(b->history->values, items, count);
}

/* 1 and 2 are added, 3 and 4 perhaps; from `first` to `last` is what is read in the end. */
static struct builder whole_reads(int64_t first, int64_t last)
{
    struct builder b = builder_create("set", 1);
    b.part.spec = spec_extended(b.part.spec);
    builder_add_at(&b, "add", builder_int(&b, 1), PLUMB_ANY, 1, 20);
    builder_add_at(&b, "add", builder_int(&b, 2), PLUMB_TRUE, 2, 3);
    builder_add_at(&b, "add", builder_int(&b, 3), PLUMB_ANY, 4, -1);
    builder_add_at(&b, "add", builder_int(&b, 4), PLUMB_ANY, 5, -1);
    builder_add_at(&b, "items", PLUMB_OK, list(&b, 2, 2), 6, 7);
    builder_add_at(&b, "items", PLUMB_OK, PLUMB_ANY, 8, 9);
    builder_add_at(&b, "items", PLUMB_OK, list(&b, first, last), 21, 22);
    return b;
}

static void test_reads_of_the_whole(void **unused)
{
    (void)unused;
    static const struct {
        int64_t first, last;
        enum verdict expected;
        size_t core;
    } reads[] = {{1, 2, VERDICT_HOLDS, 0},    {1, 3, VERDICT_HOLDS, 0},    {1, 4, VERDICT_HOLDS, 0},
                 {2, 3, VERDICT_VIOLATED, 4}, {1, 1, VERDICT_VIOLATED, 4}, {2, 5, VERDICT_VIOLATED, 4}};
    for (size_t i = 0; i < sizeof reads / sizeof *reads; i++) {
        struct builder b = whole_reads(reads[i].first, reads[i].last);
        decide_by(set_reads_decide, &b, reads[i].expected, reads[i].core);
    }
}

/* All operations of one key overlap: adds and removes by turns, called in one order and returning in
 * the opposite one. */
static void test_wide_overlap_is_not_quadratic(void **unused)
{
    (void)unused;
    enum { COUNT = 100000 };
    struct builder b = builder_create("set", 1);
    uint32_t add = builder_op(&b, "add"), remove = builder_op(&b, "remove");
    for (uint32_t i = 0; i < COUNT; i++)
        builder_add(&b, i % 2 ? remove : add, builder_int(&b, 1), PLUMB_TRUE, false);
    struct order *o = &b.part.order;
    *o = (struct order){.count = COUNT,
                        .event_count = 2 * COUNT,
                        .call = NEW_ARRAY(uint32_t, COUNT),
                        .ret = NEW_ARRAY(uint32_t, COUNT),
                        .event = NEW_ARRAY(uint32_t, 2 * COUNT)};
    for (uint32_t i = 0; i < COUNT; i++) {
        o->call[i] = i;
        o->ret[i] = 2 * COUNT - 1 - i;
        o->event[o->call[i]] = i << 1;
        o->event[o->ret[i]] = i << 1 | 1;
    }
    b.part.history = b.history;
    b.part.options = &b.options;
    struct decision d = {0};
    struct budget budget = budget_start(0, 0);
    double start = base_now();
    assert_int_equal(set_decide(&b.part, &budget, &d), VERDICT_HOLDS);
    assert_true(base_now() - start < 1);
    assert_int_equal(d.witness.len, COUNT);
    decision_free(&d);
    builder_destroy(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_histories),
        cmocka_unit_test(test_identities_matter),
        cmocka_unit_test(test_reads_of_the_whole),
        cmocka_unit_test(test_pending_add_explains_a_question),
        cmocka_unit_test(test_late_failure),
        cmocka_unit_test(test_unknown_change_is_left_to_others),
        cmocka_unit_test(test_wide_overlap_is_not_quadratic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
