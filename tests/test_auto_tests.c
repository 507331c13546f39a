/* SPDX-License-Identifier: Apache-2.0 */
/* Generated tests: all of them, each once, small ones first. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cli/auto_shrink.h"
#include "cli/auto_tests.h"

#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"a", "b", "c"};

static auto_calls calls_of(uint32_t count)
{
    auto_calls calls = {0};
    for (uint32_t i = 0; i < count; i++)
        vec_push(&calls, words[i]);
    return calls;
}

static char *next_text(struct auto_enumeration *e, const auto_calls *calls)
{
    struct auto_test t;
    struct text out = {0};
    if (!auto_next(e, &t))
        return NULL;
    auto_print_test(&out, &t, calls);
    return text_take(&out);
}

static void two_calls_in_order(void **state)
{
    (void)state;
    static const char *const expected[] = {"a",         "b",         "a | a",     "a | b",     "b | b",
                                           "a a",       "a b",       "b a",       "b b",       "a a | a a",
                                           "a a | a b", "a a | b a", "a a | b b", "a b | a b", "a b | b a",
                                           "a b | b b", "b a | b a", "b a | b b", "b b | b b"};
    auto_calls calls = calls_of(2);
    struct auto_enumeration e = auto_enumerate((struct auto_size){2, 2}, 2);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        char *text = next_text(&e, &calls);
        assert_string_equal(text, expected[i]);
        free(text);
    }
    assert_null(next_text(&e, &calls));
    assert_null(next_text(&e, &calls));
    vec_free(&calls);
}

/* Columns sorted: of tests that differ in the order of threads there is one. Counted, and compared with the formula. */
static void none_is_missing_or_there_twice(void **state)
{
    (void)state;
    auto_calls calls = calls_of(3);
    struct auto_enumeration e = auto_enumerate((struct auto_size){2, 3}, 3);
    VEC(char *) all = {0};
    for (char *text; (text = next_text(&e, &calls));)
        vec_push(&all, text);
    assert_true((double)all.len == auto_count((struct auto_size){2, 3}, 3));
    assert_int_equal(all.len, 3 + 6 + 10 + 9 + 45 + 165);
    for (size_t i = 0; i < all.len; i++)
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(all.data[i], all.data[k]);
    for (size_t i = 0; i < all.len; i++)
        free(all.data[i]);
    vec_free(&all);
    vec_free(&calls);
}

static void the_first_calls_come_first(void **state)
{
    (void)state;
    auto_calls calls = calls_of(3);
    struct auto_enumeration e = auto_enumerate((struct auto_size){1, 2}, 3);
    static const char *const expected[] = {"a",     "b",     "c",     "a | a", "a | b",
                                           "b | b", "a | c", "b | c", "c | c"};
    for (size_t i = 0; i < 9; i++) {
        char *text = next_text(&e, &calls);
        assert_string_equal(text, expected[i]);
        free(text);
    }
    vec_free(&calls);
}

static void open_arguments_differ(void **state)
{
    (void)state;
    auto_calls calls = {0};
    struct text out = {0};
    vec_push(&calls, "push(\x01)");
    vec_push(&calls, "put(\x01,true,\"\x01\") pop");
    struct auto_test t = {.columns = 2, .rows = {2, 1}, .calls = {{0, 1}, {0}}};
    auto_print_test(&out, &t, &calls);
    assert_string_equal(out.data, "push(1) put(2,true,\"3\") pop | push(4)");
    text_free(&out);
    vec_free(&calls);
}

static void a_sample_is_the_same_again(void **state)
{
    (void)state;
    struct auto_test a = {0}, b = {0};
    struct auto_size size = {3, 3};
    unsigned different = 0;
    for (uint64_t i = 0; i < 50; i++) {
        auto_sample(size, 3, 7, i, &a);
        auto_sample(size, 3, 7, i, &b);
        assert_memory_equal(&a, &b, sizeof a);
        auto_sample(size, 3, 8, i, &b);
        different += memcmp(&a, &b, sizeof a) != 0;
    }
    assert_true(different > 45);
}

static void sizes_are_two_digits(void **state)
{
    (void)state;
    struct auto_size s;
    assert_true(auto_parse_size("3x2", &s));
    assert_int_equal(s.rows, 3);
    assert_int_equal(s.columns, 2);
    static const char *const wrong[] = {"", "3", "3x", "0x2", "2x0", "9x2", "2x9", "2x2x", "x2", "22x2"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(auto_parse_size(wrong[i], &s));
}

static void words_of_a_test(void **state)
{
    (void)state;
    auto_calls calls = {0};
    struct auto_words w;
    vec_push(&calls, "put(\"a | b\", 2) get");
    vec_push(&calls, "pop");
    struct auto_test t = {.columns = 2, .rows = {1, 2}, .calls = {{0}, {1, 1}}};
    auto_words_of(&w, &t, &calls, "x y(1, 2)", NULL);
    assert_int_equal(w.columns[0].len, 2);
    assert_string_equal(w.columns[0].data[0], "put(\"a | b\", 2)");
    assert_int_equal(w.columns[1].len, 2);
    assert_int_equal(w.init.len, 2);
    char *text = auto_words_text(&w);
    assert_string_equal(text, "x y(1, 2) => put(\"a | b\", 2) get | pop pop");
    free(text);
    auto_words_free(&w);
    vec_free(&calls);
}

static void shrinking_ends_in_time(void **state)
{
    (void)state;
    struct auto_words test = {.column_count = 1};
    vec_push(&test.columns[0], strdup("push(1)"));
    vec_push(&test.columns[0], strdup("pop"));
    struct auto_runner late = {.deadline = 1e-9};
    struct auto_shrinking done = auto_shrink(&test, &late);
    char *text = auto_words_text(&test);
    assert_int_equal(done.tried, 0);
    assert_true(done.cut);
    assert_string_equal(text, "push(1) pop");
    free(text);
    auto_words_free(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_calls_in_order),
        cmocka_unit_test(none_is_missing_or_there_twice),
        cmocka_unit_test(the_first_calls_come_first),
        cmocka_unit_test(open_arguments_differ),
        cmocka_unit_test(a_sample_is_the_same_again),
        cmocka_unit_test(sizes_are_two_digits),
        cmocka_unit_test(words_of_a_test),
        cmocka_unit_test(shrinking_ends_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
