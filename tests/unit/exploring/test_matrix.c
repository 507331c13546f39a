/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

/* The folder is in the runtime library only. */
#include "harness/matrix.c"

#define OP(object, name, types)                               \
    {                                                         \
        PLUMB_PART_OP, object, name, "", types, NULL, NULL, 0 \
    }

static const struct plumb_part push = OP("", "push", "i"), pop = OP("", "pop", ""), put = OP("", "put", "sl"),
                               set = OP("", "set", "b"), byte = OP("", "byte", "C"),
                               enq1 = OP("q1", "enq", "i"), enq2 = OP("q2", "enq", "i"),
                               pop1 = OP("q1", "pop", "");
static const struct plumb_part *const parts[] = {&pop1, &push, &pop, &put, &set, &byte, &enq1, &enq2};
static const struct matrix_vocabulary vocabulary = {parts, sizeof parts / sizeof *parts};

static struct plumb_values *values;

static int start(void **state)
{
    (void)state;
    values = plumb_values_create();
    return 0;
}

static int stop(void **state)
{
    (void)state;
    plumb_values_destroy(values);
    return 0;
}

static struct matrix parse(const char *text)
{
    struct matrix m;
    struct diagnostic d = {0};
    if (!matrix_parse(&m, text, &vocabulary, values, &d))
        fail_msg("%s: %s", text, d.message);
    return m;
}

static void expect_error(const char *text, int code, uint64_t column, const char *part)
{
    struct matrix m;
    struct diagnostic d = {0};
    assert_false(matrix_parse(&m, text, &vocabulary, values, &d));
    if (d.code != code || d.column != column || !strstr(d.message, part))
        fail_msg("%s: %d at %d: %s", text, d.code, (int)d.column, d.message);
}

static void expect_shape(const char *text, uint32_t init, size_t columns, uint32_t final)
{
    struct matrix m = parse(text);
    assert_int_equal(m.init.to - m.init.from, init);
    assert_int_equal(m.columns.len, columns);
    assert_int_equal(m.final.to - m.final.from, final);
    assert_int_equal(m.final.to, m.ops.len);
    matrix_free(&m);
}

static void columns_are_divided_by_bars(void **state)
{
    (void)state;
    struct matrix m = parse("push(1) pop | push( 2)\n pop()");
    assert_int_equal(m.ops.len, 4);
    assert_int_equal(m.columns.len, 2);
    assert_int_equal(m.columns.data[1].from, 2);
    assert_ptr_equal(m.ops.data[2].operation, &push);
    assert_int_equal(m.ops.data[2].arguments[0].number, 2);
    assert_int_equal(m.ops.data[2].value, plumb_int(values, 2));
    assert_int_equal(m.ops.data[3].value, PLUMB_OK);
    assert_int_equal(m.ops.data[1].length, strlen("pop"));
    assert_memory_equal(m.ops.data[2].text, "push( 2)", m.ops.data[2].length);
    assert_int_equal(m.ops.data[2].length, strlen("push( 2)"));
    matrix_free(&m);
}

static void arrows_divide_parts(void **state)
{
    (void)state;
    expect_shape("pop", 0, 1, 0);
    expect_shape("push(1) pop => pop | pop => pop", 2, 2, 1);
    expect_shape("push(1) => pop | pop", 1, 2, 0);
    expect_shape("pop | pop => pop pop", 0, 2, 2);
    expect_shape("push(1) => pop", 1, 1, 0);
    expect_shape("=> pop => push(1)", 0, 1, 1);
    expect_shape("push(1) => pop =>", 1, 1, 0);
    expect_shape("put(\"|=>\\\"|\", 1) => pop", 1, 1, 0);
}

static void arguments_have_types(void **state)
{
    (void)state;
    struct matrix m = parse("put(\"a\\n'\", -9223372036854775808) "
                            "put(null,0x10) set(true) byte(255) push(-1) set(0)");
    assert_string_equal(m.ops.data[0].arguments[0].text, "a\n'");
    assert_true(m.ops.data[0].arguments[1].number == INT64_MIN);
    assert_int_equal(plumb_array_count(values, m.ops.data[0].value), 2);
    assert_null(m.ops.data[1].arguments[0].text);
    assert_int_equal(plumb_array_item(values, m.ops.data[1].value, 0), PLUMB_NONE);
    assert_int_equal(m.ops.data[1].arguments[1].number, 16);
    assert_int_equal(m.ops.data[2].value, PLUMB_TRUE);
    assert_int_equal(m.ops.data[3].arguments[0].number, 255);
    assert_int_equal(m.ops.data[4].arguments[0].number, -1);
    assert_int_equal(m.ops.data[5].value, PLUMB_FALSE); /* as `false` is in C */
    matrix_free(&m);
}

static void objects_are_named(void **state)
{
    (void)state;
    struct matrix m = parse("q1.enq(1) | q2.enq(2)");
    assert_ptr_equal(m.ops.data[0].operation, &enq1);
    assert_ptr_equal(m.ops.data[1].operation, &enq2);
    assert_memory_equal(m.ops.data[1].text, "q2.enq(2)", m.ops.data[1].length);
    matrix_free(&m);
    m = parse("pop q1.pop");
    assert_ptr_equal(m.ops.data[0].operation, &pop);
    assert_ptr_equal(m.ops.data[1].operation, &pop1);
    matrix_free(&m);
    expect_error("enq(1)", PL_UNKNOWN_OPERATION, 1, "write q1.enq or q2.enq");
    expect_error("q3.enq(1)", PL_UNKNOWN_OPERATION, 4, "no operation 'q3.enq'");
}

static void mistakes_are_explained(void **state)
{
    (void)state;
    expect_error("", PL_SYNTAX, 1, "thread 1 of the test has no operations");
    expect_error("pop | ", PL_SYNTAX, 7, "thread 2");
    expect_error("pop | psh(1)", PL_UNKNOWN_OPERATION, 7,
                 "is 'push' meant? It has q1.pop, push(int), pop, put(string, long)");
    expect_error("push", PL_BAD_ARGUMENT, 5, "type int is expected here: push(int)");
    expect_error("push()", PL_BAD_ARGUMENT, 6, "push(int)");
    expect_error("push(1, 2)", PL_BAD_ARGUMENT, 7, "that is more arguments than it takes: push(int)");
    expect_error("push(1", PL_BAD_ARGUMENT, 7, "')' is expected after the arguments: push(int)");
    expect_error("push(true)", PL_BAD_ARGUMENT, 6, "type int");
    expect_error("push(\"1\")", PL_BAD_ARGUMENT, 6, "type int");
    expect_error("push(null)", PL_BAD_ARGUMENT, 6, "type int");
    expect_error("set(2)", PL_BAD_ARGUMENT, 5, "type bool");
    expect_error("set(-1)", PL_BAD_ARGUMENT, 5, "type bool");
    expect_error("put(\"a\")", PL_BAD_ARGUMENT, 8, "type long is expected");
    expect_error("pop(1)", PL_BAD_ARGUMENT, 5, "that is more arguments than it takes: pop");
    expect_error("push(2147483648)", PL_NUMBER_RANGE, 6, "2147483648 is not a value of type int");
    expect_error("byte(-1)", PL_NUMBER_RANGE, 6, "unsigned char");
    expect_error("push(99999999999999999999)", PL_NUMBER_RANGE, 6, "64 bits");
    expect_error("put(\"a\", 9223372036854775808)", PL_NUMBER_RANGE, 10, "64 bits");
    expect_error("push(1x)", PL_SYNTAX, 6, "not a number");
    expect_error("push(-)", PL_SYNTAX, 6, "not a number");
    expect_error("push(1", PL_BAD_ARGUMENT, 7, "')'");
    expect_error("put(\"a", PL_SYNTAX, 5, "no end");
    expect_error("put(\"\\q\", 1)", PL_SYNTAX, 6, "known in strings");
    expect_error("put(\"\\", PL_SYNTAX, 6, "known in strings");
    expect_error("pop ; pop", PL_SYNTAX, 5, "not ';'");
    expect_error("q1.", PL_SYNTAX, 4, "expected at the end");
    expect_error("pop => pop => pop => pop", PL_SYNTAX, 19, "at most two arrows");
    expect_error("pop | pop => pop | pop", PL_SYNTAX, 18, "only the middle part");
    expect_error("pop | pop => pop =>", PL_SYNTAX, 5, "only the middle part");
    expect_error("=>", PL_SYNTAX, 3, "no operations");
}

static void arguments_to_try(void **state)
{
    (void)state;
    matrix_calls calls = {0};
    struct diagnostic d = {0};
    assert_true(matrix_parse_calls(&calls, "200, 400", &push, values, &d));
    assert_true(matrix_parse_calls(&calls, "\"a\", 1, \"b\", 2", &put, values, &d));
    assert_int_equal(calls.len, 4);
    assert_int_equal(calls.data[1].arguments[0].number, 400);
    assert_string_equal(calls.data[3].arguments[0].text, "b");
    assert_false(matrix_parse_calls(&calls, "\"a\"", &put, values, &d));
    assert_false(matrix_parse_calls(&calls, "1 + 2", &push, values, &d));
    assert_false(matrix_parse_calls(&calls, "1", &pop, values, &d));
    vec_free(&calls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_divided_by_bars), cmocka_unit_test(arrows_divide_parts),
        cmocka_unit_test(arguments_have_types),        cmocka_unit_test(objects_are_named),
        cmocka_unit_test(mistakes_are_explained),      cmocka_unit_test(arguments_to_try),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
