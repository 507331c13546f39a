/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"
#include "history/jsonl.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define GOOD "{\"thread\":1,\"op\":\"f\",\"call\":1,\"return\":2}\n"

static struct history *read_text(const char *text, size_t length)
{
    struct history *h = history_create();
    struct diagnostic d = {0};
    if (!jsonl_read_memory(h, text, length, &d))
        fail_msg("%llu:%llu: %s", (unsigned long long)d.line, (unsigned long long)d.column, d.message);
    assert_int_equal(d.code, 0);
    return h;
}

static struct history *read_string(const char *text)
{
    return read_text(text, strlen(text));
}

/* ---- what is refused, and where ---- */

struct bad_input {
    const char *text;
    int code;
    uint64_t line, column;
    const char *message; /* a part of it */
};

#define HEAD "{\"thread\":1,\"op\":\"f\",\"call\":1" /* 29 bytes */

static const struct bad_input bad_inputs[] = {
    {"", PL_EMPTY_FILE, 0, 0, "no operation"},
    {"\n \r\n\t\n", PL_EMPTY_FILE, 0, 0, "no operation"},
    {"\xef\xbb\xbf", PL_EMPTY_FILE, 0, 0, "no operation"},
    {"[]", PL_SYNTAX, 1, 1, "expected '{' to start an operation, found '['"},
    {"  x", PL_SYNTAX, 1, 3, "found 'x'"},
    {GOOD "\n\xff", PL_SYNTAX, 3, 1, "found byte 0xff"},
    {GOOD "\xef\xbb\xbf" GOOD, PL_SYNTAX, 2, 1, "found byte 0xef"},
    {"{", PL_SYNTAX, 1, 2, "expected '\"' to start the name of a member, found the end of the line"},
    {"{\r\n", PL_SYNTAX, 1, 3, "found the end of the line"},
    {"{}", PL_BAD_FIELD, 1, 1, "no member \"thread\""},
    {" {\"thread\":1,\"call\":1}", PL_BAD_FIELD, 1, 2, "no member \"op\""},
    {"{\"thread\":1,\"op\":\"f\"}", PL_BAD_FIELD, 1, 1, "no member \"call\""},
    {"{\"op\":\"f\",\"call\":1}", PL_BAD_FIELD, 1, 1, "no member \"thread\""},
    {GOOD HEAD ",}", PL_SYNTAX, 2, 31, "expected '\"' to start the name of a member, found '}'"},
    {HEAD " x}", PL_SYNTAX, 1, 31, "expected ',' or '}' after a member, found 'x'"},
    {HEAD, PL_SYNTAX, 1, 30, "expected ',' or '}' after a member, found the end of the line"},
    {HEAD "} {", PL_SYNTAX, 1, 32, "expected the end of the line after the operation, found '{'"},
    {HEAD "},", PL_SYNTAX, 1, 31, "found ','"},
    {HEAD ",\"return\" 2}", PL_SYNTAX, 1, 40, "expected ':' after the name of a member, found '2'"},
    {HEAD ",return:2}", PL_SYNTAX, 1, 31, "found 'r'"},
    {HEAD ",\"call\":2}", PL_BAD_FIELD, 1, 31, "member \"call\" is given twice"},
    {HEAD ",\"\\u0063all\":2}", PL_BAD_FIELD, 1, 31, "member \"call\" is given twice"},
    {HEAD ",\"arg\":1,\"arg\":1}", PL_BAD_FIELD, 1, 39, "\"arg\" is given twice"},
    {HEAD ",\"result\":1,\"result\":1}", PL_BAD_FIELD, 1, 42, "\"result\" is given twice"},
    {HEAD ",\"ret\":2}", PL_BAD_FIELD, 1, 31,
     "unknown member \"ret\"; known are thread, object, op, arg, result, call and return"},
    {HEAD ",\"a\\u0000\\n\":2}", PL_BAD_FIELD, 1, 31, "unknown member \"a\\u0000\\n\""},
    {"{\"thread\":1,\"op\":\"f\",\"t\":3}", PL_BAD_FIELD, 1, 22,
     "call and return events is a different format"},
    {"{\"thread\":1,\"call\":\"enq\",\"t\":3}", PL_BAD_FIELD, 1, 20,
     "call and return events is a different format"},
    {"{\"thread\":1,\"return\":true,\"t\":3}", PL_BAD_FIELD, 1, 22, "call and return events is a different"},
    {HEAD ",\"return\":0}", PL_RETURN_BEFORE_CALL, 1, 40, "returns at 0, before its call at 1"},
    {HEAD ",\"result\":5}", PL_BAD_FIELD, 1, 40, "pending and cannot have a \"result\""},
    {HEAD ",\"result\":5,\"return\":null}", PL_BAD_FIELD, 1, 40, "pending"},
    /* kinds of members */
    {"{\"thread\":null}", PL_BAD_FIELD, 1, 11, "expected an integer or a string for \"thread\", found 'n'"},
    {"{\"thread\":[1]}", PL_BAD_FIELD, 1, 11, "for \"thread\""},
    {"{\"thread\":}", PL_SYNTAX, 1, 11, "for \"thread\", found '}'"},
    {"{\"thread\":1.0}", PL_NUMBER_RANGE, 1, 11, "with a fraction"},
    {"{\"object\":true}", PL_BAD_FIELD, 1, 11, "for \"object\""},
    {"{\"op\":7}", PL_BAD_FIELD, 1, 7, "expected a string for \"op\", found '7'"},
    {"{\"op\":\"a\\u0000\"}", PL_BAD_FIELD, 1, 7, "cannot contain \\u0000"},
    {"{\"call\":null}", PL_BAD_FIELD, 1, 9, "expected an integer for \"call\", found 'n'"},
    {"{\"call\":[]}", PL_BAD_FIELD, 1, 9, "expected an integer for \"call\", found '['"},
    {"{\"return\":\"2\"}", PL_BAD_FIELD, 1, 11, "expected an integer for \"return\""},
    {"{\"return\":nul}", PL_BAD_FIELD, 1, 11, "expected an integer for \"return\""},
    /* numbers */
    {"{\"arg\":01}", PL_SYNTAX, 1, 8, "leading zeros"},
    {"{\"arg\":-01}", PL_SYNTAX, 1, 8, "leading zeros"},
    {"{\"arg\":00000000000000000000000}", PL_SYNTAX, 1, 8, "leading zeros"},
    {"{\"arg\":-}", PL_SYNTAX, 1, 9, "expected a digit after '-', found '}'"},
    {"{\"arg\":+1}", PL_SYNTAX, 1, 8, "expected a value"},
    {"{\"arg\":1.5}", PL_NUMBER_RANGE, 1, 8, "found a number with a fraction"},
    {"{\"arg\":1e3}", PL_NUMBER_RANGE, 1, 8, "found a number with an exponent"},
    {"{\"arg\":0E1}", PL_NUMBER_RANGE, 1, 8, "exponent"},
    {"{\"arg\":9223372036854775808}", PL_NUMBER_RANGE, 1, 8, "beyond that range"},
    {"{\"arg\":-9223372036854775809}", PL_NUMBER_RANGE, 1, 8, "beyond that range"},
    {"{\"arg\":18446744073709551616}", PL_NUMBER_RANGE, 1, 8, "beyond that range"},
    {"{\"call\":99999999999999999999}", PL_NUMBER_RANGE, 1, 9, "beyond that range"},
    {"{\"arg\":0x10}", PL_SYNTAX, 1, 9, "expected ',' or '}' after a member, found 'x'"},
    {"{\"arg\":NaN}", PL_SYNTAX, 1, 8, "expected a value"},
    {"{\"arg\":.5}", PL_SYNTAX, 1, 8, "expected a value"},
    /* values */
    {"{\"arg\":tru}", PL_SYNTAX, 1, 8,
     "expected a value (integer, true, false, null, string or array), found 't'"},
    {"{\"arg\":nullx}", PL_SYNTAX, 1, 12, "after a member, found 'x'"},
    {"{\"arg\":", PL_SYNTAX, 1, 8, "found the end of the line"},
    {"{\"arg\":{}}", PL_BAD_FIELD, 1, 8, "an object is not a value"},
    {"{\"arg\":{\"unknown\":true}}", PL_BAD_FIELD, 1, 8, "an object is not a value"},
    {"{\"arg\":[1,{}]}", PL_BAD_FIELD, 1, 11, "an object is not a value"},
    {"{\"arg\":[1 2]}", PL_SYNTAX, 1, 11, "expected ',' or ']' after an item, found '2'"},
    {"{\"arg\":[1,]}", PL_SYNTAX, 1, 11, "expected a value"},
    {"{\"arg\":[}", PL_SYNTAX, 1, 9, "expected a value"},
    {"{\"arg\":[1", PL_SYNTAX, 1, 10, "found the end of the line"},
    {"{\"arg\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1", PL_SYNTAX, 1, 40, "nested more than 32 deep"},
    {"{\"result\":{\"unknown\":false}}", PL_BAD_FIELD, 1, 11, "{\"unknown\":true}"},
    {"{\"result\":{\"unknown\":true,\"a\":1}}", PL_BAD_FIELD, 1, 11, "{\"unknown\":true}"},
    {"{\"result\":{}}", PL_BAD_FIELD, 1, 11, "{\"unknown\":true}"},
    {"{\"result\":[{\"unknown\":true}]}", PL_BAD_FIELD, 1, 12, "an object is not a value"},
    /* strings */
    {"{\"arg\":\"ab", PL_SYNTAX, 1, 11, "expected '\"' at the end of the string, found the end of the line"},
    {"{\"arg\":\"ab\r\n\"}", PL_SYNTAX, 1, 11, "found the end of the line"},
    {"{\"arg\":\"a\tb\"}", PL_SYNTAX, 1, 10, "byte 0x09 has to be escaped"},
    {"{\"arg\":\"a\\xb\"}", PL_SYNTAX, 1, 11, "expected one of \"\\/bfnrtu after a backslash, found 'x'"},
    {"{\"arg\":\"a\\", PL_SYNTAX, 1, 11, "found the end of the line"},
    {"{\"arg\":\"\\u12g4\"}", PL_SYNTAX, 1, 13, "four hexadecimal digits after \\u, found 'g'"},
    {"{\"arg\":\"a\\ud83dx\"}", PL_SYNTAX, 1, 10, "first half of a surrogate pair"},
    {"{\"arg\":\"a\\ud83d\\u0041\"}", PL_SYNTAX, 1, 10, "first half of a surrogate pair"},
    {"{\"arg\":\"a\\ude00\"}", PL_SYNTAX, 1, 10, "second half of a surrogate pair"},
    {"{\"arg\":\"a\xc3\"}", PL_SYNTAX, 1, 10, "byte 0xc3 is not valid UTF-8"},
    {"{\"arg\":\"\xc0\x80\"}", PL_SYNTAX, 1, 9, "byte 0xc0 is not valid UTF-8"},
    {"{\"arg\":\"\xed\xa0\x80\"}", PL_SYNTAX, 1, 9, "byte 0xed is not valid UTF-8"},
    {"{\"arg\":\"\xf4\x90\x80\x80\"}", PL_SYNTAX, 1, 9, "byte 0xf4 is not valid UTF-8"},
    {"{\"arg\":\"\\n\x80\"}", PL_SYNTAX, 1, 11, "byte 0x80 is not valid UTF-8"},
    {"{\"op\":\"\xff\"}", PL_SYNTAX, 1, 8, "byte 0xff is not valid UTF-8"},
    {"{\"op\":\"f", PL_SYNTAX, 1, 9, "found the end of the line"},
};

static void check_bad(const char *text, size_t length, const struct bad_input *bad)
{
    struct history *h = history_create();
    struct diagnostic d = {0};
    bool accepted = jsonl_read_memory(h, text, length, &d);
    if (accepted || d.code != bad->code || d.line != bad->line || d.column != bad->column ||
        !strstr(d.message, bad->message) || d.file[0])
        fail_msg("%s: got %d at %llu:%llu \"%s\"", bad->text, d.code, (unsigned long long)d.line,
                 (unsigned long long)d.column, d.message);
    history_destroy(h);
}

static void test_bad_inputs_are_placed_exactly(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(bad_inputs); i++)
        check_bad(bad_inputs[i].text, strlen(bad_inputs[i].text), &bad_inputs[i]);
}

static void test_zero_bytes_are_refused(void **state)
{
    (void)state;
    static const char outside[] = "{\"arg\":1\0}", inside[] = "{\"arg\":\"\0\"}",
                      escape[] = "{\"arg\":\"\\\0\"}";
    static const char name[] = "{\"op\":\"f\0\"}", start[] = GOOD "\0" GOOD;
    static const char known_name[] = GOOD "{\"op\":\"f\0\"}";
    check_bad(outside, sizeof outside - 1, &(struct bad_input){"outside", PL_SYNTAX, 1, 9, "byte 0x00"});
    check_bad(inside, sizeof inside - 1, &(struct bad_input){"inside", PL_SYNTAX, 1, 9, "byte 0x00"});
    check_bad(escape, sizeof escape - 1, &(struct bad_input){"escape", PL_SYNTAX, 1, 10, "byte 0x00"});
    check_bad(name, sizeof name - 1, &(struct bad_input){"name", PL_SYNTAX, 1, 9, "byte 0x00"});
    check_bad(known_name, sizeof known_name - 1, &(struct bad_input){"known", PL_SYNTAX, 2, 9, "byte 0x00"});
    check_bad(start, sizeof start - 1, &(struct bad_input){"start", PL_SYNTAX, 2, 1, "byte 0x00"});
}

/* Every proper prefix of a line is refused, at its end. */
static void test_prefixes_are_refused(void **state)
{
    (void)state;
    static const char line[] =
        "{ \"thread\" : \"t\\u00e4\" , \"object\":3, \"op\":\"enq\",\"arg\":[1,\"\xc3\xa4\",[]],"
        "\"result\":{\"unknown\":true},\"call\":-3,\"return\":9}";
    for (size_t length = 1; length < sizeof line - 1; length++) {
        struct history *h = history_create();
        struct diagnostic d = {0};
        assert_false(jsonl_read_memory(h, line, length, &d));
        assert_int_equal(d.line, 1);
        assert_in_range(d.column, 1, length + 1);
        assert_int_equal(h->ops.len, 0);
        history_destroy(h);
    }
    history_destroy(read_text(line, sizeof line - 1));
}

static void test_names_are_limited(void **state)
{
    (void)state;
    struct text t = {0};
    for (int i = 0; i <= HISTORY_NAMES_MAX; i++)
        text_printf(&t, "{\"thread\":1,\"call\":%d,\"return\":%d,\"op\":\"f%d\"}\n", i, i, i);
    size_t last = t.len;
    while (t.data[last - 2] != '\n')
        last--;
    struct history *h = read_text(t.data, last - 1);
    assert_int_equal(h->op_names.len, HISTORY_NAMES_MAX);
    assert_int_equal(history_op_name(h, "new", 3), HISTORY_NO_NAME);
    assert_int_equal(history_op_name(h, "f65533", 6), 65533);
    history_destroy(h);
    struct bad_input bad = {"names", PL_TOO_LARGE, HISTORY_NAMES_MAX + 1, 46,
                            "65534 different operation names"};
    check_bad(t.data, t.len, &bad);
    text_free(&t);
}

static void test_lines_are_limited(void **state)
{
    (void)state;
    size_t length = 65 * 1024 * 1024;
    char *text = base_alloc(length);
    memset(text, ' ', length);
    memcpy(text, GOOD, strlen(GOOD));
    check_bad(text, length,
              &(struct bad_input){"long line", PL_TOO_LARGE, 2, 1, "the line has 67108864 bytes"});
    free(text);
}

static void test_unreadable_input(void **state)
{
    (void)state;
    struct history *h = history_create();
    struct diagnostic d = {0};
    assert_false(jsonl_read(h, -1, &d));
    assert_int_equal(d.code, PL_CANNOT_OPEN);
    history_destroy(h);
}

/* ---- what is read ---- */

static void test_members_mean_what_they_say(void **state)
{
    (void)state;
    struct history *h =
        read_string("{\"thread\":5,\"op\":\"enq\",\"arg\":7,\"call\":3,\"return\":9}\n"
                    "{\"return\":4 , \"call\": 4,\t\"result\":null,\"op\":\"deq\",\"thread\":\"w\"}\r\n"
                    "{\"thread\":5,\"op\":\"enq\",\"arg\":null,\"call\":-0}\n"
                    "{\"thread\":-5,\"op\":\"\\u0064eq\",\"call\":1,\"return\":null}\n"
                    "{\"thread\":4000000,\"op\":\"deq\",\"result\": { \"unknown\" : true } ,\"call\":1,"
                    "\"return\":9223372036854775807}");
    assert_int_equal(h->ops.len, 5);
    const struct history_op *ops = history_change(h, 0);
    assert_true(ops[0].call == 3 && ops[0].ret == 9 && !ops[0].pending);
    assert_true(ops[0].arg == plumb_int(h->values, 7) && ops[0].result == PLUMB_OK);
    assert_true(ops[1].call == 4 && ops[1].ret == 4 && ops[1].arg == PLUMB_OK && ops[1].result == PLUMB_NONE);
    assert_true(ops[2].pending && ops[2].call == 0 && ops[2].arg == PLUMB_NONE && ops[2].result == PLUMB_ANY);
    assert_true(ops[3].pending && ops[3].result == PLUMB_ANY && ops[3].op == ops[1].op);
    assert_true(!ops[4].pending && ops[4].result == PLUMB_ANY && ops[4].ret == INT64_MAX);
    assert_int_equal(h->op_names.len, 2);
    assert_string_equal(h->op_names.data[ops[0].op], "enq");
    assert_string_equal(h->op_names.data[ops[1].op], "deq");
    assert_int_equal(h->thread_names.len, 4);
    assert_true(ops[0].thread == ops[2].thread && ops[0].thread != ops[3].thread);
    assert_true(h->thread_names.data[ops[3].thread] == plumb_int(h->values, -5));
    assert_true(h->thread_names.data[ops[1].thread] == plumb_string(h->values, "w", 1));
    assert_true(h->thread_names.data[ops[4].thread] == plumb_int(h->values, 4000000));
    assert_true(h->objects.len == 0 && h->object_names.len == 1 && h->object_names.data[0] == PLUMB_NONE);
    history_destroy(h);
}

static plumb_value read_arg(struct history **h, const char *json)
{
    char line[512];
    snprintf(line, sizeof line, "{\"thread\":1,\"op\":\"f\",\"arg\":%s,\"call\":1}", json);
    *h = read_string(line);
    return history_get(*h, 0).arg;
}

static void check_string(const char *json, const char *expected, size_t expected_length)
{
    struct history *h;
    size_t length;
    plumb_value v = read_arg(&h, json);
    const char *bytes = plumb_string_of(h->values, v, &length);
    assert_int_equal(length, expected_length);
    assert_memory_equal(bytes, expected, length);
    history_destroy(h);
}

static void test_strings_are_decoded(void **state)
{
    (void)state;
    check_string("\"\"", "", 0);
    check_string("\"a\\\"\\\\\\/\\b\\f\\n\\r\\tz\"", "a\"\\/\b\f\n\r\tz", 10);
    check_string("\"\\u0000\"", "", 1);
    check_string("\"\\u00e4\\u20AC\\ud83d\\ude00\\uffff\"",
                 "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\xef\xbf\xbf", 12);
    check_string("\"\x7f\xc3\xa4\xf4\x8f\xbf\xbf\"", "\x7f\xc3\xa4\xf4\x8f\xbf\xbf", 7);
}

static void check_int(const char *json, int64_t expected)
{
    struct history *h;
    plumb_value v = read_arg(&h, json);
    assert_true(plumb_is_int(v));
    assert_true(plumb_int_of(h->values, v) == expected);
    history_destroy(h);
}

static void test_numbers_are_exact(void **state)
{
    (void)state;
    check_int("0", 0);
    check_int("-0", 0);
    check_int("-1", -1);
    check_int("999999999999999999", 999999999999999999);
    check_int("1152921504606846976", PLUMB_SMALL_MAX + 1);
    check_int("9223372036854775807", INT64_MAX);
    check_int("-9223372036854775807", -INT64_MAX);
    check_int("-9223372036854775808", INT64_MIN);
}

static void test_arrays_nest(void **state)
{
    (void)state;
    struct history *h;
    plumb_value v = read_arg(&h, "[ 1 , [ \"a\" , [ ] ] , true,[2,3] ]");
    assert_int_equal(plumb_array_count(h->values, v), 4);
    plumb_value pair[] = {plumb_int(h->values, 2), plumb_int(h->values, 3)};
    assert_true(plumb_array_item(h->values, v, 3) == plumb_array(h->values, pair, 2));
    plumb_value inner[] = {plumb_string(h->values, "a", 1), plumb_array(h->values, NULL, 0)};
    assert_true(plumb_array_item(h->values, v, 1) == plumb_array(h->values, inner, 2));
    history_destroy(h);
    read_arg(&h, "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]");
    history_destroy(h);
}

/* Names that differ only at the end, or share their first words, must not be mixed up. */
static void test_operation_names_of_all_lengths(void **state)
{
    (void)state;
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    struct text t = {0};
    for (int round = 0; round < 3; round++)
        for (int length = 0; length <= 20; length++)
            for (int last = 0; last < 3; last++)
                text_printf(&t, "{\"op\":\"%.*s%d\",\"thread\":1,\"call\":1}\n", length, letters, last);
    struct history *h = read_string(t.data);
    assert_int_equal(h->op_names.len, 63);
    for (size_t i = 0; i < h->ops.len; i++) {
        char expected[32];
        snprintf(expected, sizeof expected, "%.*s%d", (int)(i % 63 / 3), letters, (int)(i % 3));
        assert_string_equal(h->op_names.data[history_get(h, i).op], expected);
    }
    history_destroy(h);
    text_free(&t);
}

/* Far more names than the reader remembers, equal in their first eight bytes. */
static void test_many_similar_operation_names(void **state)
{
    (void)state;
    struct text t = {0};
    for (int i = 0; i < 2000; i++)
        text_printf(&t, "{\"op\":\"abcdefgh%d\",\"thread\":1,\"call\":1}\n", 1000 + i % 500);
    struct history *h = read_string(t.data);
    assert_int_equal(h->op_names.len, 500);
    for (size_t i = 0; i < h->ops.len; i++)
        assert_int_equal(history_get(h, i).op, i % 500);
    history_destroy(h);
    text_free(&t);
}

static void test_operation_names_with_escapes(void **state)
{
    (void)state;
    static const char text[] = "{\"op\":\"a\\\"b\",\"thread\":1,\"call\":1}\n"
                               "{\"op\":\"a\\\\\",\"thread\":1,\"call\":1}\n"
                               "{\"op\":\"a\\\"c\",\"thread\":1,\"call\":1}\n"
                               "{\"op\":\"\\u0061\",\"thread\":1,\"call\":1}\n";
    static const char *const names[] = {"a\"b", "a\\", "a\"c", "a"};
    struct text twice = {0};
    text_repeat(&twice, text, 2);
    struct history *h = read_string(twice.data);
    assert_int_equal(h->op_names.len, 4);
    for (size_t i = 0; i < 8; i++)
        assert_string_equal(h->op_names.data[history_get(h, i).op], names[i % 4]);
    history_destroy(h);
    text_free(&twice);
}

static void test_objects_are_numbered(void **state)
{
    (void)state;
    struct history *h = read_string("{\"thread\":1,\"op\":\"f\",\"call\":1,\"object\":\"a\"}\n"
                                    "{\"thread\":2,\"op\":\"f\",\"call\":1,\"object\":\"a\"}\n");
    assert_int_equal(h->objects.len, 0);
    assert_true(h->object_names.data[0] == plumb_string(h->values, "a", 1));
    history_destroy(h);
    h = read_string("{\"thread\":1,\"op\":\"f\",\"call\":1}\n"
                    "{\"thread\":2,\"op\":\"f\",\"call\":1}\n"
                    "{\"thread\":3,\"op\":\"f\",\"call\":1,\"object\":7}\n"
                    "{\"thread\":4,\"op\":\"f\",\"call\":1}\n");
    const uint32_t expected[] = {0, 0, 1, 0};
    assert_int_equal(h->objects.len, 4);
    assert_memory_equal(h->objects.data, expected, sizeof expected);
    assert_true(h->object_names.data[0] == PLUMB_NONE && h->object_names.data[1] == plumb_int(h->values, 7));
    history_destroy(h);
    h = read_string(
        "{\"thread\":1,\"op\":\"f\",\"call\":1,\"object\":7}\n{\"thread\":2,\"op\":\"f\",\"call\":1}\n");
    assert_true(history_object_of(h, 0) == 0 && history_object_of(h, 1) == 1);
    assert_true(h->object_names.data[1] == PLUMB_NONE);
    history_destroy(h);
}

static void test_lines_of_operations(void **state)
{
    (void)state;
    struct history *h = read_string("\xef\xbb\xbf" GOOD "\n \t\r\n" GOOD GOOD "\n" GOOD "\n\n");
    const uint64_t lines[] = {1, 4, 5, 7};
    assert_int_equal(h->ops.len, 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(history_line(h, i), lines[i]);
    assert_int_equal(h->skipped_lines.len, 5);
    history_destroy(h);
    h = read_string("\n\n" GOOD);
    assert_int_equal(history_line(h, 0), 3);
    history_destroy(h);
}

/* More than the buffer holds, through a pipe that delivers odd pieces; one line is longer than the buffer. */
static void test_long_input_arrives_in_pieces(void **state)
{
    (void)state;
    enum { LINES = 20000, LONG = 700000 };
    struct text t = {0};
    for (int i = 0; i < LINES; i++)
        text_printf(&t, "{\"thread\":%d,\"op\":\"enq\",\"arg\":%d,\"call\":%d,\"return\":%d}\n", i % 2000, i,
                    i, i + 1);
    text_puts(&t, "{\"thread\":1,\"op\":\"f\",\"call\":77,\"arg\":\"");
    text_repeat(&t, "x", LONG);
    text_puts(&t, "\"}");
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        for (size_t done = 0; done < t.len;) {
            size_t piece = 1 + done * 7919 % 4099;
            ssize_t n = write(ends[1], t.data + done, piece < t.len - done ? piece : t.len - done);
            if (n < 0)
                _exit(1);
            done += (size_t)n;
        }
        _exit(0);
    }
    close(ends[1]);
    struct history *h = history_create();
    struct diagnostic d = {0};
    assert_true(jsonl_read(h, ends[0], &d));
    close(ends[0]);
    int status;
    assert_true(waitpid(child, &status, 0) == child && status == 0);
    assert_int_equal(h->ops.len, LINES + 1);
    for (int i = 0; i < LINES; i++) {
        assert_true(history_get(h, i).call == i && history_get(h, i).arg == plumb_int(h->values, i));
        assert_true(h->thread_names.data[history_get(h, i).thread] == plumb_int(h->values, i % 2000));
    }
    size_t length;
    plumb_string_of(h->values, history_get(h, LINES).arg, &length);
    assert_int_equal(length, LONG);
    history_destroy(h);
    text_free(&t);
}

/* ---- what is written ---- */

static char *written(const struct history *h)
{
    char *bytes = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&bytes, &length);
    for (size_t i = 0; i < h->ops.len; i++)
        jsonl_write_op(out, h, i);
    fclose(out);
    return bytes;
}

static void test_written_lines_are_canonical(void **state)
{
    (void)state;
    static const char text[] =
        "{\"thread\":1,\"op\":\"enq\",\"arg\":7,\"call\":3,\"return\":9}\n"
        "{\"thread\":\"w\\n\",\"object\":\"q\",\"op\":\"deq\",\"result\":{\"unknown\":true},\"call\":-3,"
        "\"return\":9}\n"
        "{\"thread\":2,\"object\":-4,\"op\":\"\\u001b\xc3\xa4\",\"arg\":[1,[null,\"\"]],\"call\":"
        "9223372036854775807}\n"
        "{\"thread\":2,\"op\":\"deq\",\"result\":null,\"call\":-9223372036854775808,\"return\":0}\n";
    struct history *h = read_string(text);
    char *again = written(h);
    assert_string_equal(again, text);
    free(again);
    history_destroy(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_inputs_are_placed_exactly),
        cmocka_unit_test(test_zero_bytes_are_refused),
        cmocka_unit_test(test_prefixes_are_refused),
        cmocka_unit_test(test_names_are_limited),
        cmocka_unit_test(test_lines_are_limited),
        cmocka_unit_test(test_unreadable_input),
        cmocka_unit_test(test_members_mean_what_they_say),
        cmocka_unit_test(test_strings_are_decoded),
        cmocka_unit_test(test_numbers_are_exact),
        cmocka_unit_test(test_arrays_nest),
        cmocka_unit_test(test_operation_names_of_all_lengths),
        cmocka_unit_test(test_many_similar_operation_names),
        cmocka_unit_test(test_operation_names_with_escapes),
        cmocka_unit_test(test_objects_are_numbered),
        cmocka_unit_test(test_lines_of_operations),
        cmocka_unit_test(test_long_input_arrives_in_pieces),
        cmocka_unit_test(test_written_lines_are_canonical),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
