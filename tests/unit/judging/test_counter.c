/* SPDX-License-Identifier: Apache-2.0 */
/* Counters and multisets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/part_builder.h"

static const double spreads[] = {0.1, 0.3, 1, 3};
static const int64_t zero[TOY_STATE];

static plumb_value counter_model(const struct part *p, uint32_t i, int64_t *state)
{
    const struct history_op *op = part_op(p, i);
    const char *name = p->spec->operations[op->op].name;
    plumb_value before = plumb_int(p->history->values, state[0]);
    if (!strcmp(name, "get"))
        return before;
    state[0] += plumb_int_of(p->history->values, op->arg);
    return !strcmp(name, "add") ? PLUMB_OK : before;
}

/* fetch: how many of ten changes are fetch_add. */
static void draw_counter(struct builder *b, int64_t initial, int64_t amount, uint32_t fetch, bool odd)
{
    uint32_t count = 7 - builder_random(b, 1 + builder_random(b, 7));
    for (uint32_t i = 0; i < count; i++) {
        bool get = builder_chance(b, 50);
        const char *name = get ? "get" : builder_chance(b, 10 * fetch) ? "fetch_add" : "add";
        int64_t n = builder_chance(b, 5) ? 0 : odd && builder_chance(b, 10) ? amount + 1 : amount;
        plumb_value arg = get ? PLUMB_OK : builder_int(b, n);
        builder_add(b, builder_op(b, name), arg, PLUMB_OK, builder_chance(b, 12));
    }
    builder_time(b, spreads[builder_random(b, 4)]);
    builder_answer(b, counter_model, (int64_t[TOY_STATE]){initial});
    if (builder_chance(b, 50))
        builder_shake(b, 1);
    bool lies = builder_chance(b, 30);
    for (uint32_t i = 0; i < count; i++) {
        struct history_op *op = history_change(b->history, i);
        if (op->pending || !plumb_is_int(op->result))
            continue;
        int64_t seen = plumb_int_of(b->history->values, op->result);
        int64_t lie = builder_chance(b, 10) ? 1 : amount * ((int64_t)builder_random(b, 5) - 2);
        if (lies && builder_chance(b, 40))
            op->result = builder_int(b, seen + lie);
        if (builder_chance(b, 3))
            op->result = PLUMB_ANY;
    }
}

static void compare_counters(int64_t initial, int64_t amount, uint32_t fetch, bool odd, const char *what)
{
    struct builder b = builder_create("counter", 2);
    struct tally tally = {0};
    if (initial)
        b.options.initial = builder_int(&b, initial);
    for (int round = 0; round < 60000; round++) {
        draw_counter(&b, initial, amount, fetch, odd);
        toy_compare(&b, counter_decide, counter_model, (int64_t[TOY_STATE]){initial}, &tally);
        builder_clear(&b);
    }
    tally_report(&tally, what);
    builder_destroy(&b);
}

static void test_random_counters(void **unused)
{
    (void)unused;
    compare_counters(0, 1, 0, false, "counter, add and get");
    compare_counters(5, 3, 5, false, "counter, also fetch_add");
    compare_counters(0, 1, 10, false, "counter, only fetch_add");
    compare_counters(-2, -2, 3, true, "counter, going down, some other amounts");
}

static void test_counter_domain(void **unused)
{
    (void)unused;
    struct builder b = builder_create("counter", 1);
    struct budget budget = budget_start(0, 0);
    struct decision d = {0};
    builder_add_at(&b, "add", builder_int(&b, 1), PLUMB_OK, 1, 2);
    builder_add_at(&b, "add", builder_int(&b, 2), PLUMB_OK, 3, 4);
    builder_finish(&b);
    assert_int_equal(counter_decide(&b.part, &budget, &d), VERDICT_NONE);
    assert_string_equal(d.why, "the amounts added differ");
    builder_clear(&b);
    builder_add_at(&b, "add", builder_int(&b, INT64_MAX), PLUMB_OK, 1, 2);
    builder_add_at(&b, "add", builder_int(&b, INT64_MAX), PLUMB_OK, 3, 4);
    builder_finish(&b);
    assert_int_equal(counter_decide(&b.part, &budget, &d), VERDICT_NONE);
    assert_string_equal(d.why, "the counter may overflow");
    builder_destroy(&b);
}

static plumb_value multiset_model(const struct part *p, uint32_t i, int64_t *state)
{
    const struct history_op *op = part_op(p, i);
    const char *name = p->spec->operations[op->op].name;
    int64_t *count = &state[plumb_int_of(p->history->values, op->arg)];
    if (!strcmp(name, "count"))
        return plumb_int(p->history->values, *count);
    if (!strcmp(name, "add")) {
        ++*count;
        return PLUMB_OK;
    }
    bool found = *count > 0;
    *count -= found;
    return plumb_bool(found);
}

static void draw_multiset(struct builder *b, uint32_t keys, bool questions)
{
    uint32_t count = 7 - builder_random(b, 1 + builder_random(b, 7));
    for (uint32_t i = 0; i < count; i++) {
        const char *name = builder_chance(b, 50) ? "add" : "remove";
        plumb_value arg = builder_int(b, builder_random(b, keys));
        if (questions && builder_chance(b, 15))
            name = "count";
        builder_add(b, builder_op(b, name), arg, PLUMB_OK, builder_chance(b, 12));
    }
    builder_time(b, spreads[builder_random(b, 4)]);
    builder_answer(b, multiset_model, zero);
    if (builder_chance(b, 50))
        builder_shake(b, 1);
    bool lies = builder_chance(b, 50);
    for (uint32_t i = 0; i < count; i++) {
        struct history_op *op = history_change(b->history, i);
        if (op->pending || op->result == PLUMB_OK)
            continue;
        bool wrong = lies && builder_chance(b, 50);
        if (plumb_is_int(op->result) && wrong)
            op->result = builder_int(b, (int64_t)builder_random(b, 5) - 1);
        else if (plumb_is_bool(op->result) && (wrong || !questions))
            op->result = PLUMB_TRUE;
        if (builder_chance(b, 3))
            op->result = PLUMB_ANY;
    }
}

static void test_random_multisets(void **unused)
{
    (void)unused;
    for (uint32_t questions = 0; questions < 2; questions++) {
        struct builder b = builder_create("multiset", 3);
        struct tally tally = {0};
        for (uint32_t round = 0; round < 60000; round++) {
            draw_multiset(&b, 1 + round % 3, questions);
            toy_compare(&b, multiset_decide, multiset_model, zero, &tally);
            builder_clear(&b);
        }
        tally_report(&tally, questions ? "multiset with questions" : "multiset");
        builder_destroy(&b);
    }
}

/* Equally many adds and removes before the last remove, which is named. */
static void test_multiset_names_the_remove(void **unused)
{
    (void)unused;
    struct builder b = builder_create("multiset", 1);
    struct budget budget = budget_start(0, 0);
    struct decision d = {0};
    plumb_value key = builder_int(&b, 1);
    for (int round = 0; round < 10; round++) {
        builder_add_at(&b, "add", key, PLUMB_OK, 10 * round, 10 * round + 3);
        builder_add_at(&b, "remove", key, PLUMB_TRUE, 10 * round + 6, 10 * round + 9);
    }
    builder_add_at(&b, "remove", key, PLUMB_TRUE, 200, 201);
    builder_finish(&b);
    assert_int_equal(multiset_decide(&b.part, &budget, &d), VERDICT_VIOLATED);
    assert_int_equal(d.core.len, 1);
    assert_int_equal(d.core.data[0], 20);
    decision_free(&d);
    builder_destroy(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_counters),
        cmocka_unit_test(test_counter_domain),
        cmocka_unit_test(test_random_multisets),
        cmocka_unit_test(test_multiset_names_the_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
