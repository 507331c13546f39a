/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "history/value_text.h"

#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static plumb_value string(struct plumb_values *pool, const char *s)
{
    return plumb_string(pool, s, strlen(s));
}

static void test_integers_round_trip(void **state)
{
    (void)state;
    struct plumb_values *pool = plumb_values_create();
    const int64_t numbers[] = {
        0,         1,        -1, PLUMB_SMALL_MAX, PLUMB_SMALL_MAX + 1, PLUMB_SMALL_MIN, PLUMB_SMALL_MIN - 1,
        INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < COUNT(numbers); i++) {
        plumb_value v = plumb_int(pool, numbers[i]);
        assert_true(plumb_is_int(v));
        assert_true(plumb_int_of(pool, v) == numbers[i]);
        assert_true(plumb_wide_int_of(pool, v) == numbers[i]);
        assert_true(plumb_int(pool, numbers[i]) == v);
        assert_true(plumb_wide_int(pool, numbers[i]) == v);
        for (size_t j = 0; j < i; j++)
            assert_true(plumb_int(pool, numbers[j]) != v);
    }
    plumb_values_destroy(pool);
}

static void test_strings_are_stored_once(void **state)
{
    (void)state;
    struct plumb_values *pool = plumb_values_create();
    plumb_value words[3000];
    const char *first_bytes = NULL;
    for (int i = 0; i < 3000; i++) {
        char s[16];
        int n = snprintf(s, sizeof s, "s%d", i);
        words[i] = plumb_string(pool, s, (size_t)n);
        if (i == 0)
            first_bytes = plumb_string_of(pool, words[0], NULL);
    }
    assert_ptr_equal(plumb_string_of(pool, words[0], NULL), first_bytes);
    for (int i = 0; i < 3000; i++) {
        char s[16];
        size_t length;
        int n = snprintf(s, sizeof s, "s%d", i);
        assert_true(plumb_string(pool, s, (size_t)n) == words[i]);
        assert_string_equal(plumb_string_of(pool, words[i], &length), s);
        assert_int_equal(length, n);
        assert_true(i == 0 || words[i] != words[i - 1]);
    }
    assert_true(plumb_string(pool, "a\0b", 3) != plumb_string(pool, "a\0c", 3));
    assert_true(plumb_string(pool, "a\0", 2) != plumb_string(pool, "a", 1));
    assert_true(plumb_string(pool, NULL, 0) == plumb_string(pool, "x", 0));
    plumb_values_destroy(pool);
}

static plumb_value string_number(struct plumb_values *pool, int i)
{
    char s[16];
    return plumb_string(pool, s, (size_t)snprintf(s, sizeof s, "%d", i));
}

static void assert_items(struct plumb_values *pool, plumb_value array, const plumb_value *items, size_t count)
{
    assert_true(plumb_is_array(array));
    assert_int_equal(plumb_array_count(pool, array), count);
    for (size_t i = 0; i < count; i++)
        assert_true(plumb_array_item(pool, array, i) == items[i]);
}

static void test_arrays_are_stored_once(void **state)
{
    (void)state;
    struct plumb_values *pool = plumb_values_create();
    enum { SIDE = 100 };
    static plumb_value words[SIDE][SIDE];
    for (int a = 0; a < SIDE; a++)
        for (int b = 0; b < SIDE; b++) {
            plumb_value items[] = {plumb_int(pool, a), string_number(pool, b)};
            words[a][b] = plumb_array(pool, items, 2);
        }
    for (int a = 0; a < SIDE; a++)
        for (int b = 0; b < SIDE; b++) {
            plumb_value items[] = {plumb_int(pool, a), string_number(pool, b)};
            assert_true(plumb_array(pool, items, 2) == words[a][b]);
            assert_items(pool, words[a][b], items, 2);
            assert_true(a == b || words[a][b] != words[b][a]);
        }
    plumb_value nested = plumb_array(pool, &words[1][2], 1);
    assert_true(nested != words[1][2]);
    assert_true(nested == plumb_array(pool, &words[1][2], 1));
    assert_items(pool, nested, &words[1][2], 1);
    plumb_values_destroy(pool);
}

/* Arrays of two integers are in the word exactly when both have at most 30 bits. */
static void test_pairs_are_words(void **state)
{
    (void)state;
    struct plumb_values *pool = plumb_values_create();
    const int64_t numbers[] = {0,
                               1,
                               -1,
                               7,
                               -8,
                               PLUMB_PAIR_MAX,
                               PLUMB_PAIR_MAX - 1,
                               PLUMB_PAIR_MAX + 1,
                               PLUMB_PAIR_MIN,
                               PLUMB_PAIR_MIN + 1,
                               PLUMB_PAIR_MIN - 1,
                               (int64_t)1 << 30,
                               PLUMB_SMALL_MAX,
                               PLUMB_SMALL_MIN,
                               INT64_MAX,
                               INT64_MIN};
    enum { N = COUNT(numbers) };
    plumb_value words[N * N];
    for (size_t k = 0; k < N * N; k++) {
        int64_t first = numbers[k / N], second = numbers[k % N];
        plumb_value items[] = {plumb_int(pool, first), plumb_int(pool, second)};
        words[k] = plumb_array(pool, items, 2);
        bool fits = first >= PLUMB_PAIR_MIN && first <= PLUMB_PAIR_MAX && second >= PLUMB_PAIR_MIN &&
                    second <= PLUMB_PAIR_MAX;
        assert_int_equal(plumb_tag_of(words[k]), fits ? PLUMB_TAG_PAIR : PLUMB_TAG_ARRAY);
        assert_true(plumb_array(pool, items, 2) == words[k]);
        assert_items(pool, words[k], items, 2);
        for (size_t j = 0; j < k; j++) {
            assert_true(words[j] != words[k]);
            int64_t a = numbers[j / N], b = numbers[j % N];
            int order = a != first ? (a > first) - (a < first) : (b > second) - (b < second);
            assert_int_equal(plumb_compare(pool, words[j], words[k]), order);
            assert_int_equal(plumb_compare(pool, words[k], words[j]), -order);
        }
    }
    plumb_values_destroy(pool);
}

static void test_other_arrays_of_two_are_pooled(void **state)
{
    (void)state;
    struct plumb_values *pool = plumb_values_create();
    plumb_value one = plumb_int(pool, 1), pair = plumb_array(pool, (plumb_value[]){one, one}, 2);
    const plumb_value others[] = {PLUMB_NONE, PLUMB_FALSE, PLUMB_TRUE, PLUMB_OK, string(pool, ""), pair};
    for (size_t i = 0; i < COUNT(others); i++) {
        plumb_value left[] = {others[i], one}, right[] = {one, others[i]};
        assert_int_equal(plumb_tag_of(plumb_array(pool, left, 2)), PLUMB_TAG_ARRAY);
        assert_int_equal(plumb_tag_of(plumb_array(pool, right, 2)),
                         i == 4 ? PLUMB_TAG_KEYED : PLUMB_TAG_ARRAY);
        assert_items(pool, plumb_array(pool, left, 2), left, 2);
        assert_items(pool, plumb_array(pool, right, 2), right, 2);
    }
    assert_int_equal(plumb_tag_of(plumb_array(pool, &one, 1)), PLUMB_TAG_ARRAY);
    assert_int_equal(plumb_tag_of(plumb_array(pool, (plumb_value[]){one, one, one}, 3)), PLUMB_TAG_ARRAY);
    assert_false(plumb_is_array(one) || plumb_is_array(PLUMB_NONE) || plumb_is_array(others[4]));
    plumb_values_destroy(pool);
}

/* Keys are integers or strings; what does not fit is in the pool, and all of them are told apart and put in order. */
static void test_keyed_strings(void **state)
{
    (void)state;
    struct plumb_values *pool = plumb_values_create();
    const plumb_value keys[] = {plumb_int(pool, INT64_MIN),
                                plumb_int(pool, PLUMB_PAIR_MIN - 1),
                                plumb_int(pool, PLUMB_PAIR_MIN),
                                plumb_int(pool, -1),
                                plumb_int(pool, 0),
                                plumb_int(pool, 1),
                                plumb_int(pool, PLUMB_PAIR_MAX),
                                plumb_int(pool, PLUMB_PAIR_MAX + 1),
                                string(pool, ""),
                                string(pool, "a"),
                                string(pool, "b")};
    const plumb_value texts[] = {string(pool, ""), string(pool, "a"), string(pool, "b"), string(pool, "c")};
    enum { KEYS = COUNT(keys), TEXTS = COUNT(texts) };
    plumb_value words[KEYS * TEXTS];
    for (size_t k = 0; k < KEYS * TEXTS; k++) {
        plumb_value items[] = {keys[k / TEXTS], texts[k % TEXTS]};
        bool pooled = k / TEXTS < 2 || k / TEXTS == 7;
        words[k] = plumb_array(pool, items, 2);
        assert_int_equal(plumb_tag_of(words[k]), pooled ? PLUMB_TAG_ARRAY : PLUMB_TAG_KEYED);
        assert_true(plumb_array(pool, items, 2) == words[k]);
        assert_items(pool, words[k], items, 2);
        for (size_t j = 0; j < k; j++) {
            assert_true(words[j] != words[k]);
            assert_true(plumb_compare(pool, words[j], words[k]) < 0);
            assert_true(plumb_compare(pool, words[k], words[j]) > 0);
        }
    }
    plumb_values_destroy(pool);
}

static void test_empty_array_comes_first(void **state)
{
    (void)state;
    struct plumb_values *pool = plumb_values_create();
    plumb_value empty = plumb_array(pool, NULL, 0);
    assert_items(pool, empty, NULL, 0);
    assert_true(plumb_array(pool, &empty, 0) == empty);
    assert_true(plumb_array(pool, &empty, 1) != empty);
    plumb_values_destroy(pool);
}

static void test_compare_is_a_total_order(void **state)
{
    (void)state;
    struct plumb_values *pool = plumb_values_create();
    plumb_value one = plumb_int(pool, 1), two = plumb_int(pool, 2), a = string(pool, "a");
    plumb_value ascending[] = {
        plumb_int(pool, INT64_MIN),
        plumb_int(pool, -5),
        plumb_int(pool, 0),
        one,
        plumb_int(pool, INT64_MAX),
        PLUMB_NONE,
        PLUMB_FALSE,
        PLUMB_TRUE,
        string(pool, ""),
        a,
        string(pool, "aa"),
        string(pool, "b"),
        string(pool, "\xc3\xa4"),
        plumb_array(pool, NULL, 0),
        plumb_array(pool, (plumb_value[]){plumb_int(pool, INT64_MIN), one}, 2),
        plumb_array(pool, (plumb_value[]){plumb_int(pool, -5), two}, 2),
        plumb_array(pool, &one, 1),
        plumb_array(pool, (plumb_value[]){one, plumb_int(pool, PLUMB_PAIR_MIN - 1)}, 2),
        plumb_array(pool, (plumb_value[]){one, plumb_int(pool, -5)}, 2),
        plumb_array(pool, (plumb_value[]){one, one}, 2),
        plumb_array(pool, (plumb_value[]){one, one, PLUMB_NONE}, 3),
        plumb_array(pool, (plumb_value[]){one, two}, 2),
        plumb_array(pool, (plumb_value[]){one, plumb_int(pool, PLUMB_PAIR_MAX + 1)}, 2),
        plumb_array(pool, (plumb_value[]){one, a}, 2),
        plumb_array(pool, &two, 1),
        plumb_array(pool, (plumb_value[]){two, plumb_int(pool, 0)}, 2),
        plumb_array(pool, &a, 1),
    };
    for (int i = 0; i < (int)COUNT(ascending); i++)
        for (int j = 0; j < (int)COUNT(ascending); j++)
            assert_int_equal(plumb_compare(pool, ascending[i], ascending[j]), (i > j) - (i < j));
    plumb_values_destroy(pool);
}

static void check_text(struct plumb_values *pool, plumb_value v, const char *expected)
{
    struct text t = {0};
    value_print(&t, pool, v);
    assert_string_equal(t.data, expected);
    text_free(&t);
}

static void test_values_print_as_safe_json(void **state)
{
    (void)state;
    struct plumb_values *pool = plumb_values_create();
    check_text(pool, plumb_int(pool, INT64_MIN), "-9223372036854775808");
    check_text(pool, plumb_int(pool, INT64_MAX), "9223372036854775807");
    check_text(pool, plumb_int(pool, 0), "0");
    check_text(pool, PLUMB_NONE, "null");
    check_text(pool, PLUMB_TRUE, "true");
    check_text(pool, PLUMB_FALSE, "false");
    check_text(pool, PLUMB_ANY, "{\"unknown\":true}");
    check_text(pool, string(pool, "a\n\t\"\\/\x1b\x7f"), "\"a\\n\\t\\\"\\\\/\\u001b\\u007f\"");
    check_text(pool, string(pool, "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"),
               "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"");
    check_text(pool, string(pool, "\xc2\x9b\xe2\x80\xae"), "\"\\u009b\\u202e\"");
    check_text(pool, string(pool, "\xff\xc3(\xed\xa0\x80"), "\"\\ufffd\\ufffd(\\ufffd\\ufffd\\ufffd\"");
    check_text(pool, plumb_string(pool, "a\0b\xe2\x82", 5), "\"a\\u0000b\\ufffd\\ufffd\"");
    plumb_value items[] = {plumb_int(pool, 1), plumb_array(pool, NULL, 0), PLUMB_NONE};
    check_text(pool, plumb_array(pool, items, 3), "[1,[],null]");
    check_text(pool, plumb_array(pool, (plumb_value[]){plumb_int(pool, -7), items[0]}, 2), "[-7,1]");
    plumb_values_destroy(pool);
}

static void test_short_text_ends_between_characters(void **state)
{
    (void)state;
    struct plumb_values *pool = plumb_values_create();
    for (int pad = 0; pad < 4; pad++) {
        char s[256] = "abc";
        size_t length = (size_t)pad;
        for (; length < 200; length += 3)
            memcpy(s + length, "\xe2\x82\xac", 3);
        struct text t = {0};
        value_print_short(&t, pool, plumb_string(pool, s, length));
        assert_int_equal(text_columns(t.data), 43);
        const char *cut = strstr(t.data, "...");
        assert_non_null(cut);
        assert_memory_equal(cut - 3, "\xe2\x82\xac...\xe2\x82\xac", 9);
        assert_int_equal(t.data[t.len - 1], '"');
        text_free(&t);
    }
    struct text t = {0};
    value_print_short(&t, pool, string(pool, "550e8400-e29b-41d4-a716-446655440000"));
    assert_string_equal(t.data, "\"550e8400-e29b-41d4-a716-446655440000\"");
    text_free(&t);
    plumb_values_destroy(pool);
}

static void check_op(struct plumb_values *pool, bool several, struct history_op op, const char *expected)
{
    struct text t = {0};
    value_print_op(&t, pool, "f", several, &op);
    assert_string_equal(t.data, expected);
    text_free(&t);
}

static void test_operations_print_for_readers(void **state)
{
    (void)state;
    struct plumb_values *pool = plumb_values_create();
    plumb_value seven = plumb_int(pool, 7), pair[] = {seven, string(pool, "x")};
    check_op(pool, false, (struct history_op){.arg = seven, .result = PLUMB_OK}, "f(7)");
    check_op(pool, false, (struct history_op){.arg = PLUMB_OK, .result = seven}, "f() = 7");
    check_op(pool, false, (struct history_op){.arg = PLUMB_OK, .result = PLUMB_NONE}, "f() = empty");
    check_op(pool, false, (struct history_op){.arg = PLUMB_OK, .result = PLUMB_ANY}, "f() = unknown");
    check_op(pool, false, (struct history_op){.arg = PLUMB_NONE, .result = PLUMB_TRUE}, "f(null) = true");
    plumb_value array = plumb_array(pool, pair, 2), none = plumb_array(pool, NULL, 0);
    check_op(pool, true, (struct history_op){.arg = array, .result = PLUMB_OK}, "f(7, \"x\")");
    check_op(pool, false, (struct history_op){.arg = array, .result = array}, "f([7,\"x\"]) = [7,\"x\"]");
    check_op(pool, false, (struct history_op){.arg = none, .result = PLUMB_OK}, "f([])");
    pair[1] = seven;
    array = plumb_array(pool, pair, 2);
    check_op(pool, true, (struct history_op){.arg = array, .result = PLUMB_OK}, "f(7, 7)");
    check_op(pool, false, (struct history_op){.arg = PLUMB_OK, .result = PLUMB_ANY, .pending = 1},
             "f() pending");
    plumb_values_destroy(pool);
}

static void test_operations_print_long_values_short(void **state)
{
    (void)state;
    struct plumb_values *pool = plumb_values_create();
    char s[300];
    memset(s, 'w', sizeof s);
    plumb_value words = plumb_string(pool, s, sizeof s), pair[] = {words, words};
    const char *shown = "\"wwwwwwwwwwwwwwwwwwwwwwwwwww...wwwwwwwwwww\"";
    struct text expected = {0};
    text_printf(&expected, "f(%s, %s) = %s", shown, shown, shown);
    plumb_value both = plumb_array(pool, pair, 2);
    check_op(pool, true, (struct history_op){.arg = both, .result = words}, expected.data);
    text_clear(&expected);
    text_printf(&expected, "f(%s)", shown);
    check_op(pool, false, (struct history_op){.arg = words, .result = PLUMB_OK}, expected.data);
    text_free(&expected);
    plumb_values_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers_round_trip),
        cmocka_unit_test(test_strings_are_stored_once),
        cmocka_unit_test(test_arrays_are_stored_once),
        cmocka_unit_test(test_pairs_are_words),
        cmocka_unit_test(test_other_arrays_of_two_are_pooled),
        cmocka_unit_test(test_keyed_strings),
        cmocka_unit_test(test_empty_array_comes_first),
        cmocka_unit_test(test_compare_is_a_total_order),
        cmocka_unit_test(test_values_print_as_safe_json),
        cmocka_unit_test(test_short_text_ends_between_characters),
        cmocka_unit_test(test_operations_print_for_readers),
        cmocka_unit_test(test_operations_print_long_values_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
