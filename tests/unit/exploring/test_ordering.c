/* SPDX-License-Identifier: Apache-2.0 */
/* Calls with ordering points: small questions with known answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ordering/ordering.h"

#include <string.h>

/* A register for each object: a call stores `writes` if it is positive, and finds `finds` afterwards if that is not negative. */
enum { OBJECTS = 2, CALLS = 8 };
static struct {
    int32_t value[OBJECTS];
} machine;
static struct {
    int32_t needs, writes, finds;
} acts[CALLS];
static struct ordering_call calls[CALLS];
static struct ordering_point points[CALLS][4];
static uint64_t before[CALLS];
static uint32_t count;

static void reset(void *context)
{
    (void)context;
    memset(&machine, 0, sizeof machine);
}

static bool pre(void *context, uint32_t call)
{
    (void)context;
    return acts[call].needs < 0 || machine.value[calls[call].object] == acts[call].needs;
}

static void effect(void *context, uint32_t call)
{
    (void)context;
    if (acts[call].writes > 0)
        machine.value[calls[call].object] = acts[call].writes;
}

static bool post(void *context, uint32_t call)
{
    (void)context;
    return acts[call].finds < 0 || machine.value[calls[call].object] == acts[call].finds;
}

static size_t save(void *context, const void **bytes)
{
    (void)context;
    *bytes = &machine;
    return sizeof machine;
}

static void restore(void *context, const void *bytes, size_t size)
{
    (void)context;
    memcpy(&machine, bytes, size);
}

static int clear(void **state)
{
    (void)state;
    memset(calls, 0, sizeof calls);
    memset(before, 0, sizeof before);
    count = 0;
    return 0;
}

/* A completed call of interface `writes > 0`. */
static uint32_t add_call(int32_t writes, int32_t finds)
{
    uint32_t c = count++;
    acts[c].needs = -1;
    acts[c].writes = writes;
    acts[c].finds = finds;
    calls[c] = (struct ordering_call){.interface = writes > 0, .points = points[c], .completed = true};
    return c;
}

static void add_point(uint32_t c, uint64_t event, uint32_t location, uint32_t key)
{
    points[c][calls[c].point_count++] = (struct ordering_point){event, location, key};
}

static struct ordering_question question(enum ordering_mode mode)
{
    return (struct ordering_question){
        .calls = calls,
        .count = count,
        .mode = mode,
        .machine = {NULL, reset, pre, effect, post, save, restore},
        .before = before,
    };
}

static struct ordering_answer ask(enum ordering_mode mode)
{
    struct ordering_question q = question(mode);
    return ordering_check(&q);
}

static uint32_t hidden; /* a state that is not put back */
static bool post_of_hidden(void *context, uint32_t call)
{
    (void)context;
    return calls[call].interface || ++hidden > 2;
}

/* The legal order was found only because another was tried before. */
static void notices_hidden_states(void **state)
{
    (void)state;
    add_call(7, -1), add_call(0, -1);
    struct ordering_question q = question(ORDERING_SOME);
    struct ordering_answer a = ordering_check(&q);
    assert_true(ordering_repeats(&q, &a));
    q.machine.post = post_of_hidden;
    hidden = 1;
    a = ordering_check(&q);
    assert_int_equal(a.verdict, VERDICT_HOLDS);
    hidden = 0;
    assert_false(ordering_repeats(&q, &a));
}

/* A write and a read of it, and a read of what was before. */
static void orders_by_keys(void **state)
{
    (void)state;
    uint32_t old = add_call(0, 0), write = add_call(7, -1), new = add_call(0, 7);
    add_point(new, 3, 0, 3);
    add_point(write, 2, 0, 2);
    add_point(old, 1, 0, 1);
    struct ordering_answer a = ask(ORDERING_EVERY);
    assert_int_equal(a.verdict, VERDICT_HOLDS);
    points[new][0].key = 1; /* finds 7 before it is written */
    a = ask(ORDERING_SOME);
    assert_int_equal(a.verdict, VERDICT_VIOLATED);
    assert_int_equal(a.fault, ORDERING_CONDITION);
    assert_int_equal(a.failed, new);
    assert_false(a.failed_pre);
    assert_int_equal(a.order_count, 1);
    assert_int_equal(a.order[0], old);
}

static void unordered_calls(void **state)
{
    (void)state;
    uint32_t one = add_call(1, -1), two = add_call(2, -1), look = add_call(0, 2);
    add_point(one, 1, 0, 2);
    add_point(two, 2, 1, 2);
    add_point(look, 3, 0, 3);
    points[look][calls[look].point_count++] = (struct ordering_point){3, 1, 3};
    struct ordering_answer a = ask(ORDERING_SOME);
    assert_int_equal(a.verdict, VERDICT_HOLDS);
    assert_true(a.undetermined);
    assert_int_equal(a.order[0], one);
    uint32_t pair[2];
    struct ordering_question q = question(ORDERING_SOME);
    assert_true(ordering_unordered_pair(&q, &a, pair));
    assert_int_equal(pair[0] + pair[1], one + two);
    a = ask(ORDERING_EVERY);
    assert_int_equal(a.verdict, VERDICT_VIOLATED);
    assert_int_equal(a.failed, look);
    assert_int_equal(a.order_count, 2);
    assert_int_equal(a.order[0], two);
}

static void contradicting_points(void **state)
{
    (void)state;
    uint32_t a = add_call(1, -1), b = add_call(2, -1);
    add_point(a, 1, 0, 2);
    add_point(a, 2, 1, 4);
    add_point(b, 3, 1, 2);
    add_point(b, 4, 0, 3);
    struct ordering_answer answer = ask(ORDERING_SOME);
    assert_int_equal(answer.fault, ORDERING_CYCLE);
    assert_int_equal(answer.order_count, 2);
    struct ordering_question q = question(ORDERING_SOME);
    struct ordering_point edge[2];
    assert_true(ordering_edge(&q, a, b, edge));
    assert_int_equal(edge[0].event, 1);
    assert_int_equal(edge[1].event, 4);
    assert_true(ordering_edge(&q, b, a, edge));
    assert_int_equal(edge[0].event, 3);
}

/* Of two cycles the shorter one, whichever comes first. */
static void shortest_cycle(void **state)
{
    (void)state;
    for (uint32_t longer = 0; longer < 2; longer++) {
        clear(NULL);
        uint32_t first = longer ? 0 : 2, pair = longer ? 3 : 0;
        for (uint32_t c = 0; c < 5; c++)
            add_call(1, -1);
        for (uint32_t k = 0; k < 3; k++) { /* each writes to a location that the next one reads */
            add_point(first + k, 10 + k, k, 2);
            add_point(first + (k + 1) % 3, 20 + k, k, 3);
        }
        add_point(pair, 30, 5, 2);
        add_point(pair + 1, 31, 5, 3);
        add_point(pair + 1, 32, 6, 2);
        add_point(pair, 33, 6, 3);
        struct ordering_answer a = ask(ORDERING_SOME);
        assert_int_equal(a.fault, ORDERING_CYCLE);
        assert_int_equal(a.order_count, 2);
        assert_int_equal(a.order[0], pair);
        assert_int_equal(a.order[1], pair + 1);
    }
}

/* The inner call has its effect first; both are judged by the state before and after both. */
static void nested_calls(void **state)
{
    (void)state;
    uint32_t outer = add_call(2, 2), inner = add_call(1, 2);
    acts[outer].needs = acts[inner].needs = 0;
    calls[outer].end_number = 1;
    add_point(outer, 1, 0, 2);
    add_point(inner, 1, 0, 2);
    struct ordering_answer a = ask(ORDERING_EVERY);
    assert_int_equal(a.verdict, VERDICT_HOLDS);
    assert_int_equal(a.order[0], inner);
    acts[inner].finds = 1;
    a = ask(ORDERING_EVERY);
    assert_int_equal(a.failed, inner);
    assert_int_equal(a.order_count, 0);
}

static void calls_without_result(void **state)
{
    (void)state;
    uint32_t pending = add_call(5, 6), look = add_call(0, 0);
    calls[pending].completed = false;
    assert_int_equal(ask(ORDERING_EVERY).verdict, VERDICT_HOLDS); /* left out */
    add_point(pending, 1, 0, 2);
    add_point(look, 2, 0, 3);
    struct ordering_answer a = ask(ORDERING_SOME);
    assert_int_equal(a.verdict, VERDICT_VIOLATED);
    assert_int_equal(a.failed, look);
    acts[look].finds = 5;
    assert_int_equal(ask(ORDERING_EVERY).verdict, VERDICT_HOLDS);
}

static void rules(void **state)
{
    (void)state;
    uint32_t write = add_call(5, -1), look = add_call(0, 5);
    struct ordering_rule rule = {.from = 1, .to = 0, .from_condition = 2};
    struct ordering_question q;
    add_point(write, 1, 0, 2);
    add_point(look, 2, 0, 3);
    q = question(ORDERING_SOME);
    q.rules = &rule;
    q.rule_count = 1;
    assert_int_equal(ordering_check(&q).verdict, VERDICT_HOLDS); /* the condition is false */
    calls[write].conditions = 2;
    struct ordering_answer a = ordering_check(&q);
    assert_int_equal(a.fault, ORDERING_SYNC);
    assert_int_equal(a.earlier, write);
    assert_int_equal(a.failed, look);
    before[write] = 1u << look;
    assert_int_equal(ordering_check(&q).verdict, VERDICT_HOLDS);
    before[write] = 0;
    calls[look].id = 1;
    assert_int_equal(ordering_check(&q).verdict, VERDICT_HOLDS); /* another id */
    calls[look].id = 0;
    points[look][0].location = 9;
    assert_int_equal(ordering_check(&q).verdict, VERDICT_HOLDS); /* no order */
}

/* Nothing is decided when the budget is spent, but a broken rule stays one. */
static void budgets(void **state)
{
    (void)state;
    add_call(1, -1);
    add_call(2, -1);
    add_call(0, 3);
    struct budget b = budget_start(0, 1);
    struct ordering_question q = question(ORDERING_SOME);
    q.budget = &b;
    assert_int_equal(ordering_check(&q).verdict, VERDICT_INCONCLUSIVE);
    assert_int_equal(b.bytes_used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(orders_by_keys, clear),  cmocka_unit_test_setup(notices_hidden_states, clear),
        cmocka_unit_test_setup(unordered_calls, clear), cmocka_unit_test_setup(contradicting_points, clear),
        cmocka_unit_test_setup(nested_calls, clear),    cmocka_unit_test_setup(calls_without_result, clear),
        cmocka_unit_test_setup(rules, clear),           cmocka_unit_test_setup(budgets, clear),
        cmocka_unit_test_setup(shortest_cycle, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
