/* SPDX-License-Identifier: Apache-2.0 */
/* Operations of a counterexample as a test for the explorer. */
#include "stress/handover.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static struct report_op op(int thread, const char *name, plumb_value arg, int64_t call, int64_t ret)
{
    return (struct report_op){
        .thread_name = (plumb_value)thread << 3, .name = name, .arg = arg, .call = call, .ret = ret};
}

static plumb_value number(int64_t i)
{
    return (plumb_value)i << 3;
}

static void expect(const struct report_op *ops, size_t count, const char *object, uint64_t keys,
                   const char *expected)
{
    struct plumb_values *values = plumb_values_create();
    struct report_counterexample c = {.ops = ops, .op_count = count, .object = object, .values = values};
    struct auto_words words;
    assert_true(handover_make_test(&words, &c, keys));
    char *test = auto_words_text(&words);
    assert_string_equal(test, expected);
    free(test);
    auto_words_free(&words);
    plumb_values_destroy(values);
}

static void what_overlaps_is_done_by_threads(void **state)
{
    (void)state;
    const struct report_op ops[] = {
        op(1, "enq", number(700), 1, 2),
        op(2, "enq", number(900), 3, 9),
        op(1, "deq", PLUMB_OK, 4, 8),
        op(1, "deq", PLUMB_OK, 10, 11),
    };
    expect(ops, 4, NULL, 4, "enq(5) => enq(6) | deq => deq");
    expect(ops, 4, "q1", 4, "q1.enq(5) => q1.enq(6) | q1.deq => q1.deq");
    expect(ops + 1, 2, NULL, 0, "enq(1) | deq");
}

static void nothing_overlaps(void **state)
{
    (void)state;
    const struct report_op ops[] = {op(1, "push", number(-3), 1, 2), op(2, "pop", PLUMB_OK, 3, 4)};
    expect(ops, 2, NULL, 4, "push(5) | pop");
}

static void keys_stay_and_elements_keep_their_order(void **state)
{
    (void)state;
    struct plumb_values *values = plumb_values_create();
    plumb_value pair[2] = {number(2), number(5000)}, other[2] = {number(2), number(40)};
    const struct report_op ops[] = {
        op(1, "put", plumb_array(values, pair, 2), 1, 9),
        op(2, "put", plumb_array(values, other, 2), 2, 5),
        op(2, "get", number(2), 6, 8),
    };
    expect(ops, 3, NULL, 4, "put(2, 6) | put(2, 5) get(2)");
    plumb_values_destroy(values);
}

static void open_operations_overlap_with_all_that_follows(void **state)
{
    (void)state;
    struct report_op ops[] = {op(1, "acquire", PLUMB_OK, 1, 0), op(2, "release", PLUMB_OK, 5, 6)};
    ops[0].pending = true;
    expect(ops, 2, NULL, 4, "acquire | release");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_overlaps_is_done_by_threads),
        cmocka_unit_test(nothing_overlaps),
        cmocka_unit_test(keys_stay_and_elements_keep_their_order),
        cmocka_unit_test(open_operations_overlap_with_all_that_follows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
