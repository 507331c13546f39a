/* SPDX-License-Identifier: Apache-2.0 */
/* Registers, and single keys of map and kv. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/part_builder.h"

static const double spreads[] = {0.1, 0.3, 1, 3};

static plumb_value item(const struct part *p, plumb_value array, size_t i)
{
    return plumb_array_item(p->history->values, array, i);
}

/* state[0] is the word of the value. */
static plumb_value register_model(const struct part *p, uint32_t i, int64_t *state)
{
    const struct history_op *op = part_op(p, i);
    const char *name = p->spec->operations[op->op].name;
    plumb_value before = (plumb_value)state[0];
    if (!strcmp(name, "read") || !strcmp(name, "get"))
        return before;
    if (!strcmp(name, "write") || !strcmp(name, "put")) {
        state[0] = (int64_t)(*name == 'w' ? op->arg : item(p, op->arg, 1));
        return PLUMB_OK;
    }
    if (item(p, op->arg, 0) != before)
        return PLUMB_FALSE;
    state[0] = (int64_t)item(p, op->arg, 1);
    return PLUMB_TRUE;
}

/* Value `number` as the specification has it; 0 is the initial one. */
static plumb_value value_number(const struct builder *b, uint32_t number)
{
    char name[2] = {(char)('a' + number), 0};
    if (!strcmp(b->part.spec->name, "kv"))
        return plumb_string(b->history->values, name, number ? 1 : 0);
    if (!strcmp(b->part.spec->name, "map"))
        return number ? builder_int(b, number) : PLUMB_NONE;
    return builder_int(b, number);
}

struct shape {
    const char *spec, *write, *read;
    uint32_t cas;   /* percent of the changes */
    uint32_t again; /* percent of written values that are written a second time */
};

static void draw_operation(struct builder *b, const struct shape *shape, uint32_t *fresh)
{
    bool keyed = strcmp(shape->spec, "register") != 0, pending = builder_chance(b, 15);
    if (builder_chance(b, 50)) {
        builder_add(b, builder_op(b, shape->read), keyed ? builder_int(b, 9) : PLUMB_OK, PLUMB_OK, pending);
        return;
    }
    uint32_t number = builder_chance(b, shape->again) ? builder_random(b, *fresh) : (*fresh)++;
    plumb_value v = value_number(b, number);
    if (builder_chance(b, shape->cas)) {
        uint32_t near = *fresh + 1 < 4 ? *fresh + 1 : 4;
        plumb_value expected = value_number(b, builder_random(b, near));
        builder_add(b, builder_op(b, "cas"), builder_pair(b, expected, v), PLUMB_OK, pending);
    } else {
        plumb_value arg = keyed ? builder_pair(b, builder_int(b, 9), v) : v;
        builder_add(b, builder_op(b, shape->write), arg, PLUMB_OK, pending);
    }
}

static void draw_history(struct builder *b, const struct shape *shape, const int64_t *initial)
{
    uint32_t count = 7 - builder_random(b, 1 + builder_random(b, 7)), fresh = 1;
    for (uint32_t i = 0; i < count; i++)
        draw_operation(b, shape, &fresh);
    builder_time(b, spreads[builder_random(b, 4)]);
    builder_answer(b, register_model, initial);
    if (builder_chance(b, 50))
        builder_shake(b, 1);
    bool lies = builder_chance(b, 30);
    for (uint32_t i = 0; i < count; i++) {
        struct history_op *op = history_change(b->history, i);
        if (op->pending || op->result == PLUMB_OK)
            continue;
        if (lies && builder_chance(b, 35)) {
            if (plumb_is_bool(op->result))
                op->result = op->result == PLUMB_TRUE ? PLUMB_FALSE : PLUMB_TRUE;
            else
                op->result = value_number(b, builder_random(b, fresh + 1));
        }
        if (builder_chance(b, 3))
            op->result = PLUMB_ANY;
    }
}

static void compare_random(const struct shape *shape, const char *what)
{
    struct builder b = builder_create(shape->spec, 5);
    struct tally tally = {0};
    int64_t initial[TOY_STATE] = {(int64_t)value_number(&b, 0)};
    for (int round = 0; round < 60000; round++) {
        draw_history(&b, shape, initial);
        toy_compare(&b, register_decide, register_model, initial, &tally);
        builder_clear(&b);
    }
    tally_report(&tally, what);
    builder_destroy(&b);
}

static void test_random_histories(void **unused)
{
    (void)unused;
    compare_random(&(struct shape){"register", "write", "read", 0, 0}, "register, read and write");
    compare_random(&(struct shape){"register", "write", "read", 50, 0}, "register with cas");
    compare_random(&(struct shape){"register", "write", "read", 95, 0}, "register, mostly cas");
    compare_random(&(struct shape){"register", "write", "read", 80, 15}, "register, repeated values");
    compare_random(&(struct shape){"map", "put", "get", 0, 3}, "one key of a map");
    compare_random(&(struct shape){"kv", "put", "get", 0, 3}, "one key of a kv");
}

static void decide_and_expect(struct builder *b, enum verdict expected, size_t core_length, const char *why)
{
    struct decision d = {0};
    struct budget budget = budget_start(0, 0);
    builder_finish(b);
    assert_int_equal(register_decide(&b->part, &budget, &d), expected);
    assert_int_equal(d.core.len, core_length);
    if (why)
        assert_string_equal(d.why, why);
    decision_free(&d);
    builder_destroy(b);
}

static void test_stale_read(void **unused)
{
    (void)unused;
    struct builder b = builder_create("register", 1);
    for (int i = 1; i <= 6; i++) {
        builder_add_at(&b, "write", builder_int(&b, i), PLUMB_OK, 10 * i, 10 * i + 2);
        builder_add_at(&b, "read", PLUMB_OK, builder_int(&b, i), 10 * i + 4, 10 * i + 6);
    }
    builder_add_at(&b, "read", PLUMB_OK, builder_int(&b, 5), 100, 101);
    /* core.c leaves one of them out. */
    decide_and_expect(&b, VERDICT_VIOLATED, 4, NULL);
}

static void test_initial_value_can_be_given(void **unused)
{
    (void)unused;
    struct builder b = builder_create("register", 1);
    b.options.initial = PLUMB_NONE;
    builder_add_at(&b, "read", PLUMB_OK, PLUMB_NONE, 1, 2);
    builder_add_at(&b, "write", builder_int(&b, 0), PLUMB_OK, 3, 4);
    builder_add_at(&b, "read", PLUMB_OK, builder_int(&b, 0), 5, 6);
    decide_and_expect(&b, VERDICT_HOLDS, 0, NULL);
}

static void test_what_is_left_to_others(void **unused)
{
    (void)unused;
    struct builder b = builder_create("register", 1);
    builder_add_at(&b, "write", builder_int(&b, 0), PLUMB_OK, 1, 2);
    decide_and_expect(&b, VERDICT_NONE, 0, "a value is written twice");
    b = builder_create("register", 1);
    builder_add_at(&b, "cas", builder_pair(&b, builder_int(&b, 0), builder_int(&b, 1)), PLUMB_ANY, 1, 2);
    decide_and_expect(&b, VERDICT_NONE, 0, "it is unknown whether a cas succeeded");
    b = builder_create("map", 1);
    builder_add_at(&b, "remove", builder_int(&b, 1), PLUMB_TRUE, 1, 2);
    decide_and_expect(&b, VERDICT_NONE, 0, "there are operations besides reading and writing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_histories),
        cmocka_unit_test(test_stale_read),
        cmocka_unit_test(test_initial_value_can_be_given),
        cmocka_unit_test(test_what_is_left_to_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
