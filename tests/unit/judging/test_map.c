/* SPDX-License-Identifier: Apache-2.0 */
/* Single keys of a map with removals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/part_builder.h"

static const double spreads[] = {0.1, 0.3, 1, 3};
static const int64_t absent[TOY_STATE] = {(int64_t)PLUMB_NONE};

/* state[0] is the word of the value. */
static plumb_value map_model(const struct part *p, uint32_t i, int64_t *state)
{
    const struct history_op *op = part_op(p, i);
    const char *name = p->spec->operations[op->op].name;
    plumb_value before = (plumb_value)state[0];
    bool present = before != PLUMB_NONE;
    if (!strcmp(name, "get"))
        return before;
    if (!strcmp(name, "remove")) {
        state[0] = (int64_t)PLUMB_NONE;
        return plumb_bool(present);
    }
    if (!strcmp(name, "put") || !present)
        state[0] = (int64_t)plumb_array_item(p->history->values, op->arg, 1);
    return strcmp(name, "put") ? plumb_bool(!present) : PLUMB_OK;
}

struct shape {
    uint32_t operations;            /* at most */
    uint32_t gets, removes, absent; /* percent; the others are puts */
    uint32_t again;                 /* percent of values that are written a second time */
    uint32_t lies;                  /* percent of histories */
};

static void draw_operation(struct builder *b, const struct shape *shape, uint32_t *fresh)
{
    plumb_value key = builder_int(b, 9);
    uint32_t kind = builder_random(b, 100);
    bool pending = builder_chance(b, 10);
    if (kind < shape->gets) {
        builder_add(b, builder_op(b, "get"), key, PLUMB_OK, pending);
    } else if (kind < shape->gets + shape->removes) {
        builder_add(b, builder_op(b, "remove"), key, PLUMB_OK, pending);
    } else {
        bool conditional = kind < shape->gets + shape->removes + shape->absent;
        uint32_t number = builder_chance(b, shape->again) ? builder_random(b, *fresh) : (*fresh)++;
        builder_add(b, builder_op(b, conditional ? "put_if_absent" : "put"),
                    builder_pair(b, key, builder_int(b, number)), PLUMB_OK, pending);
    }
}

static void tell_lies(struct builder *b, uint32_t fresh)
{
    for (uint32_t i = 0; i < b->count; i++) {
        struct history_op *op = history_change(b->history, i);
        if (op->pending || op->result == PLUMB_OK || !builder_chance(b, 25))
            continue;
        if (plumb_is_bool(op->result))
            op->result = op->result == PLUMB_TRUE ? PLUMB_FALSE : PLUMB_TRUE;
        else
            op->result = builder_chance(b, 50) ? PLUMB_NONE : builder_int(b, builder_random(b, fresh + 1));
    }
}

static void draw_history(struct builder *b, const struct shape *shape)
{
    uint32_t fewer = builder_random(b, 1 + builder_random(b, shape->operations));
    uint32_t count = shape->operations - fewer, fresh = 1;
    for (uint32_t i = 0; i < count; i++)
        draw_operation(b, shape, &fresh);
    builder_time(b, spreads[builder_random(b, 4)]);
    builder_answer(b, map_model, absent);
    if (builder_chance(b, 40))
        builder_shake(b, 0.7);
    if (builder_chance(b, shape->lies))
        tell_lies(b, fresh);
    for (uint32_t i = 0; i < count; i++)
        if (!history_get(b->history, i).pending && builder_chance(b, 1))
            history_change(b->history, i)->result = PLUMB_ANY;
}

static bool is_linearizable_but_undecided(struct builder *b)
{
    struct decision d = {0};
    struct budget budget = budget_start(0, 0);
    enum verdict verdict = map_decide(&b->part, &budget, &d);
    bool missed = verdict == VERDICT_NONE && !strcmp(d.why, "no order was found at once") &&
                  toy_search(&b->part, map_model, 0, absent);
    decision_free(&d);
    return missed;
}

static void compare_random(const struct shape *shape, const char *what)
{
    struct builder b = builder_create("map", 7);
    struct tally tally = {0};
    uint32_t missed = 0;
    for (int round = 0; round < 60000 / BUILDER_SHARE; round++) {
        draw_history(&b, shape);
        toy_compare(&b, map_decide, map_model, absent, &tally);
        missed += is_linearizable_but_undecided(&b);
        builder_clear(&b);
    }
    tally_report(&tally, what);
    printf("  %u linearizable ones were not found\n", missed);
    assert_true(missed < 6);
    builder_destroy(&b);
}

static void test_random_histories(void **unused)
{
    (void)unused;
    compare_random(&(struct shape){8, 40, 15, 15, 0, 30}, "map");
    compare_random(&(struct shape){8, 30, 30, 30, 0, 60}, "map, mostly removals and put_if_absent");
    compare_random(&(struct shape){9, 20, 35, 10, 0, 60}, "map, mostly removals and puts");
    compare_random(&(struct shape){9, 50, 20, 0, 0, 40}, "map without put_if_absent");
    compare_random(&(struct shape){7, 40, 15, 15, 5, 60}, "map, repeated values");
}

static void decide_and_expect(struct builder *b, enum verdict expected, size_t core_length, const char *why)
{
    struct decision d = {0};
    struct budget budget = budget_start(0, 0);
    builder_finish(b);
    assert_int_equal(map_decide(&b->part, &budget, &d), expected);
    assert_int_equal(d.core.len, core_length);
    if (why)
        assert_string_equal(d.why, why);
    decision_free(&d);
    builder_destroy(b);
}

static void add_put(struct builder *b, const char *op, int64_t v, plumb_value result, double call, double ret)
{
    builder_add_at(b, op, builder_pair(b, builder_int(b, 1), builder_int(b, v)), result, call, ret);
}

static void test_removal_inside_a_zone(void **unused)
{
    (void)unused;
    struct builder b = builder_create("map", 1);
    plumb_value key = builder_int(&b, 1);
    add_put(&b, "put", 5, PLUMB_OK, 1, 2);
    builder_add_at(&b, "remove", key, PLUMB_TRUE, 3, 4);
    builder_add_at(&b, "get", key, PLUMB_NONE, 3.5, 6.5);
    builder_add_at(&b, "get", key, builder_int(&b, 5), 5, 6);
    decide_and_expect(&b, VERDICT_VIOLATED, 1, NULL);
}

/* The put overlaps the removal and may go before it. */
static void test_put_that_changes_nothing(void **unused)
{
    (void)unused;
    struct builder b = builder_create("map", 1);
    plumb_value key = builder_int(&b, 1);
    add_put(&b, "put", 5, PLUMB_OK, 1, 2);
    builder_add_at(&b, "remove", key, PLUMB_TRUE, 3, 5);
    add_put(&b, "put", 6, PLUMB_OK, 4, 6);
    builder_add_at(&b, "get", key, PLUMB_NONE, 7, 8);
    decide_and_expect(&b, VERDICT_HOLDS, 0, NULL);
}

/* Only a block that is read later makes the key present in time. */
static void test_block_begun_early(void **unused)
{
    (void)unused;
    struct builder b = builder_create("map", 1);
    plumb_value key = builder_int(&b, 1);
    add_put(&b, "put", 5, PLUMB_OK, 1, 5);
    add_put(&b, "put_if_absent", 6, PLUMB_FALSE, 2, 3);
    builder_add_at(&b, "get", key, builder_int(&b, 5), 4, 7);
    builder_add_at(&b, "get", key, builder_int(&b, 5), 6, 8);
    decide_and_expect(&b, VERDICT_HOLDS, 0, NULL);
}

static void test_pending_removal_happens_if_needed(void **unused)
{
    (void)unused;
    struct builder b = builder_create("map", 1);
    plumb_value key = builder_int(&b, 1);
    add_put(&b, "put", 5, PLUMB_OK, 1, 2);
    builder_add_at(&b, "remove", key, PLUMB_ANY, 3, -1);
    builder_add_at(&b, "get", key, PLUMB_NONE, 4, 5);
    decide_and_expect(&b, VERDICT_HOLDS, 0, NULL);
}

static void test_what_is_left_to_others(void **unused)
{
    (void)unused;
    struct builder b = builder_create("map", 1);
    add_put(&b, "put", 5, PLUMB_OK, 1, 2);
    add_put(&b, "put_if_absent", 5, PLUMB_FALSE, 3, 4);
    add_put(&b, "put", 5, PLUMB_OK, 5, 6);
    decide_and_expect(&b, VERDICT_NONE, 0, "a value is written twice");
    b = builder_create("map", 1);
    builder_add_at(&b, "remove", builder_int(&b, 1), PLUMB_ANY, 1, 2);
    decide_and_expect(&b, VERDICT_NONE, 0, "an answer is unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_histories),
        cmocka_unit_test(test_removal_inside_a_zone),
        cmocka_unit_test(test_put_that_changes_nothing),
        cmocka_unit_test(test_block_begun_early),
        cmocka_unit_test(test_pending_removal_happens_if_needed),
        cmocka_unit_test(test_what_is_left_to_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
