/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/json_writer.h"

static void expect_json(const char *in, const char *json)
{
    struct text out = {0};
    struct json_writer w = {.out = &out};
    json_string(&w, in);
    assert_string_equal(out.data, json);
    text_free(&out);
}

static void commas_stand_between_values_only(void **state)
{
    (void)state;
    struct text out = {0};
    struct json_writer w = {.out = &out};
    json_open_object(&w);
    json_key(&w, "a"), json_open_array(&w), json_close_array(&w);
    json_key(&w, "b"), json_open_array(&w), json_int(&w, -1), json_open_object(&w), json_close_object(&w);
    json_null(&w), json_close_array(&w);
    json_member(&w, "c", NULL);
    json_key(&w, "d"), json_bool(&w, true);
    json_key(&w, "e"), json_uint(&w, UINT64_MAX);
    json_close_object(&w);
    assert_string_equal(out.data,
                        "{\"a\":[],\"b\":[-1,{},null],\"c\":null,\"d\":true,\"e\":18446744073709551615}");
    text_free(&out);
}

static void strings_are_escaped(void **state)
{
    (void)state;
    expect_json("", "\"\"");
    expect_json("a\"b\\c/", "\"a\\\"b\\\\c/\"");
    expect_json("\n\t\x01\x1b\x7f", "\"\\n\\t\\u0001\\u001b\\u007f\"");
    expect_json("é→😀", "\"é→😀\"");
}

static void invalid_utf8_is_replaced(void **state)
{
    (void)state;
    expect_json("a\xff", "\"a\\ufffd\"");
    expect_json("\xc3", "\"\\ufffd\"");
    expect_json("\xc0\x80", "\"\\ufffd\\ufffd\"");                       /* overlong */
    expect_json("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"");            /* surrogate */
    expect_json("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""); /* above U+10FFFF */
    expect_json("\xe2\x86x", "\"\\ufffd\\ufffdx\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commas_stand_between_values_only),
        cmocka_unit_test(strings_are_escaped),
        cmocka_unit_test(invalid_utf8_is_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
