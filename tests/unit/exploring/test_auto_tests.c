/* SPDX-License-Identifier: Apache-2.0 */
/* Generated tests: all of them, each once, small ones first. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "autotest/auto_grow.h"
#include "autotest/auto_shrink.h"
#include "autotest/auto_tests.h"
#include "harness/sample_values.h"
#include "spec/roles.h"

#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"a", "b", "c"};

static auto_calls calls_of(uint32_t count)
{
    auto_calls calls = {0};
    for (uint32_t i = 0; i < count; i++)
        vec_push(&calls, ((struct auto_call){.text = words[i], .roles = UINT32_MAX}));
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
    vec_push(&calls, ((struct auto_call){.text = "push(\x01)", .roles = UINT32_MAX}));
    vec_push(&calls, ((struct auto_call){.text = "put(\x01,true,\"\x01\") pop", .roles = UINT32_MAX}));
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
    vec_push(&calls, ((struct auto_call){.text = "put(\"a | b\", 2) get", .roles = UINT32_MAX}));
    vec_push(&calls, ((struct auto_call){.text = "pop", .roles = UINT32_MAX}));
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
    struct auto_shrinking done = auto_shrink(&test, &(auto_holdings){0}, &late);
    char *text = auto_words_text(&test);
    assert_int_equal(done.tried, 0);
    assert_true(done.cut);
    assert_string_equal(text, "push(1) pop");
    free(text);
    auto_words_free(&test);
}

/* Keys 1 and 2 are names: every test is there under one of them, with the threads in one order. */
static void tests_with_keys(void **state)
{
    (void)state;
    static const char *const expected[] = {"add(1)",       "get",       "add(1) | add(1)",
                                           "add(1) | get", "get | get", "add(1) | add(2)"};
    auto_calls calls = {0};
    char add[] = "add(\x02)", get[] = "get";
    auto_add_calls(&calls, add);
    auto_add_calls(&calls, get);
    auto_add_second_keys(&calls);
    assert_int_equal(calls.len, 3);
    struct auto_enumeration e = auto_enumerate((struct auto_size){1, 2}, (uint32_t)calls.len);
    struct auto_test t;
    size_t found = 0;
    while (auto_next(&e, &t)) {
        struct text out = {0};
        if (!auto_is_first_by_keys(&t, &calls))
            continue;
        auto_print_test(&out, &t, &calls);
        assert_true(found < sizeof expected / sizeof *expected);
        assert_string_equal(out.data, expected[found++]);
        text_free(&out);
    }
    assert_int_equal(found, sizeof expected / sizeof *expected);
    vec_free(&calls);
}

static void roles_are_shared(void **state)
{
    (void)state;
    enum { OWNER = 1, THIEF = 2, OTHER = 4 };
    assert_true(roles_can_share((uint32_t[]){OWNER, THIEF, THIEF}, 3, OWNER));
    assert_false(roles_can_share((uint32_t[]){OWNER, THIEF, OWNER}, 3, OWNER));
    assert_false(roles_can_share((uint32_t[]){0}, 1, OWNER));
    /* who may have both leaves the one to the other */
    assert_true(roles_can_share((uint32_t[]){OWNER | THIEF, OWNER}, 2, OWNER));
    assert_true(roles_can_share((uint32_t[]){OWNER | OTHER, OWNER}, 2, OWNER | OTHER));
    assert_false(roles_can_share((uint32_t[]){OWNER | OTHER, OWNER, OTHER}, 3, OWNER | OTHER));
    assert_true(roles_can_share((uint32_t[]){ROLES_ANY, ROLES_ANY, OWNER}, 3, OWNER));
}

static void larger_tests_keep_roles(void **state)
{
    (void)state;
    auto_calls calls = {0};
    char push[] = "push(\x01)\x06"
                  "1",
         pop[] = "pop\x06"
                 "1",
         steal[] = "steal\x06"
                   "2",
         size[] = "size";
    auto_add_calls(&calls, push);
    auto_add_calls(&calls, pop);
    auto_add_calls(&calls, steal);
    auto_add_calls(&calls, size);
    unsigned with_ends = 0, three = 0;
    auto_holdings none = {0};
    struct auto_growth growth = {&calls, &none, 1, true, 7}, without = {&calls, &none, 1, false, 7};
    for (uint64_t i = 0; i < 200; i++) {
        struct auto_test t, again;
        auto_grow(&growth, i, &t);
        auto_grow(&growth, i, &again);
        assert_memory_equal(&t, &again, sizeof t);
        assert_true(t.columns > 0);
        assert_true(auto_keeps_roles(&t, &calls, 1));
        with_ends += t.init_count && t.final_count;
        three += t.columns == 3;
        auto_grow(&without, i, &t);
        assert_true(t.init_count == 0 && t.final_count == 0);
    }
    assert_true(with_ends > 50 && three > 30);
    vec_free(&calls);
}

/* One owner, and what everyone may call: the others call that, as many as there are. */
static void larger_tests_have_threads_without_role(void **state)
{
    (void)state;
    auto_calls calls = {0};
    auto_holdings none = {0};
    char push[] = "push(\x01)\x06"
                  "1",
         steal[] = "steal";
    auto_add_calls(&calls, push);
    auto_add_calls(&calls, steal);
    struct auto_growth growth = {&calls, &none, 1, false, 7};
    unsigned owned = 0;
    for (uint64_t i = 0; i < 200; i++) {
        struct auto_test t;
        auto_grow(&growth, i, &t);
        assert_true(t.columns >= 2 && auto_keeps_roles(&t, &calls, 1));
        uint32_t pushes = 0;
        for (uint32_t c = 0; c < t.columns; c++)
            for (uint32_t r = 0; r < t.rows[c]; r++)
                pushes += t.calls[c][r] == 0;
        owned += pushes > 0;
    }
    assert_true(owned > 100);
    vec_free(&calls);
}

/* A lock, a recursive one and a reader-writer lock's two sides; sequences count as what they are made of. */
static void locks_are_held_as_specified(void **state)
{
    (void)state;
    auto_calls listed = {0}, calls = {0};
    auto_holdings h = {0};
    char acquire[] = "l.acquire\x08+l:0", release[] = "l.release\x08-l:0", try[] = "l.try_acquire\x08?l:0";
    char again[] = "m.acquire\x08+*m:0", write[] = "w.write_lock\x08+w:2", share[] = "w.read_lock\x08+*w:1",
         unshare[] = "w.read_unlock\x08-*w:1";
    char read[] = "read_lock\x08+:1\x06"
                  "1",
         unread[] = "read_unlock\x08-:1", unwrite[] = "write_unlock\x08-:2", both[] = "l.acquire l.release";
    auto_add_calls(&listed, acquire);
    auto_add_calls(&listed, release);
    auto_add_calls(&listed, try);
    auto_add_calls(&listed, read);
    auto_add_calls(&listed, unread);
    auto_add_calls(&listed, unwrite);
    auto_add_calls(&listed, again);
    auto_add_calls(&listed, write);
    auto_add_calls(&listed, share);
    auto_add_calls(&listed, unshare);
    auto_holdings_find(&h, &listed);
    static const struct {
        const char *calls;
        bool fine;
    } cases[] = {
        {"l.acquire l.release", true},
        {"l.acquire l.acquire l.release l.release", true}, /* asked for */
        {"l.acquire; l.acquire", false},
        {"l.acquire; l.release; l.acquire", true},
        {"l.acquire; l.try_acquire", false},
        {"l.try_acquire; l.acquire", false}, /* it may have succeeded */
        {"l.try_acquire; l.try_acquire", false},
        {"l.acquire; m.acquire; read_lock", true},
        {"read_lock; read_lock", false},
        {"m.acquire; m.acquire", true},
        {"w.read_lock; w.read_lock; w.read_unlock", true},
        {"w.read_lock; w.write_lock", false},
        {"w.write_lock; w.read_lock", false},
        {"l.release", false},
        {"l.acquire l.release l.release", false},
        {"l.try_acquire l.release", false},
        {"read_lock l.release", false},
        {"read_lock(\"l.release\") read_unlock", true},
        {"write_unlock", true}, /* nothing takes it */
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct auto_held held = {0};
        char *calls_of_it = strdup(cases[k].calls), *rest = calls_of_it, *call;
        bool fine = true;
        while (fine && (call = strsep(&rest, ";")))
            fine = auto_hold(&h, &held, call + strspn(call, " "));
        free(calls_of_it);
        assert_int_equal(fine, cases[k].fine);
    }
    struct auto_growth growth = {&listed, &h, 0, true, 7};
    for (uint64_t i = 0; i < 200; i++) {
        struct auto_test t;
        auto_grow(&growth, i, &t);
        assert_true(t.columns > 0 && auto_test_holds(&h, &t, &listed));
    }
    auto_add_calls(&calls, both);
    struct auto_test t = {.columns = 2, .rows = {1, 1}};
    assert_true(auto_test_holds(&h, &t, &calls));
    vec_free(&listed);
    vec_free(&calls);
    auto_holdings_free(&h);
}

static void ends_are_words_too(void **state)
{
    (void)state;
    auto_calls calls = {0};
    char push[] = "push(\x01)", pop[] = "pop";
    struct auto_words w;
    auto_add_calls(&calls, push);
    auto_add_calls(&calls, pop);
    struct auto_test t = {
        .columns = 2, .rows = {1, 2}, .calls = {{1}, {0, 1}}, .final_count = 1, .final = {1}};
    auto_words_of(&w, &t, &calls, NULL, NULL);
    char *text = auto_words_text(&w);
    assert_string_equal(text, "=> pop | push(1) pop => pop");
    free(text);
    auto_words_free(&w);
    t.init_count = 1;
    t.init[0] = 0;
    t.final_count = 0;
    auto_words_of(&w, &t, &calls, NULL, NULL);
    text = auto_words_text(&w);
    assert_string_equal(text, "push(1) => pop | push(2) pop");
    free(text);
    auto_words_free(&w);
    vec_free(&calls);
}

static char *print_unusual(struct auto_test t, const auto_calls *calls, uint32_t way)
{
    struct text out = {0};
    t.unusual = way;
    auto_print_test(&out, &t, calls);
    return text_take(&out);
}

/* 0, -1, the least one and equal ones, as far as the calls have them. */
static void elements_have_unusual_values(void **state)
{
    (void)state;
    static const char *const expected[] = {"e(1) | e(2) d", "e(0) | e(-1) d", "e(-1) | e(-9) d",
                                           "e(-9) | e(0) d", "e(7) | e(7) d"};
    auto_calls calls = {0};
    char enq[] = "e(\x0e"
                 "1:100:0,-1,-9,~\x0f)",
         deq[] = "d",
         few[] = "f(\x0e"
                 "5:2:\x0f)";
    auto_add_calls(&calls, enq);
    auto_add_calls(&calls, deq);
    auto_add_calls(&calls, few);
    struct auto_test t = {.columns = 2, .rows = {1, 2}, .calls = {{0}, {0, 1}}};
    assert_int_equal(auto_unusual_count(&t, &calls), 4);
    for (uint32_t way = 0; way < 5; way++) {
        char *text = print_unusual(t, &calls, way);
        assert_string_equal(text, expected[way]);
        free(text);
    }
    bool mixed = false;
    for (t.salt = 1; t.salt < 50; t.salt++) {
        char *text = print_unusual(t, &calls, AUTO_MIXED);
        mixed |= strstr(text, "e(-9)") && !strcmp(text + strlen(text) - 2, " d");
        free(text);
    }
    assert_true(mixed);
    struct auto_test distinct = {.columns = 2, .rows = {1, 1}, .calls = {{2}, {2}}};
    assert_int_equal(auto_unusual_count(&distinct, &calls), 0);
    assert_false(auto_lacks_values(&distinct, &calls));
    char *text = print_unusual(distinct, &calls, 1);
    assert_string_equal(text, "f(5) | f(6)");
    free(text);
    distinct.final_count = 1;
    distinct.final[0] = 2;
    assert_true(auto_lacks_values(&distinct, &calls));
    assert_false(auto_lacks_values(&t, &calls));
    vec_free(&calls);
}

static void values_are_ranges(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        char type;
        const char *list; /* null: it is no range */
    } cases[] = {
        {"", 'i', "1:2147483647:0,-1,-2147483648,~"},
        {"1..", 'i', "1:2147483647:~"},
        {"0..", 'c', "1:127:0,~"},
        {"-1..", 'h', "1:32767:0,-1,~"},
        {" 1 .. 9 , distinct", 'i', "1:9:"},
        {"distinct", 'c', "1:127:0,-1,-128"},
        {"..-1", 'c', "-128:128:-1,-128,~"},
        {"0x10..0x1f", 'i', "16:16:~"},
        {"", 'C', "1:255:0,255,~"},
        {"", 'L', "1:9223372036854775807:0,9223372036854775807,~"},
        {"1-9", 'i', NULL},
        {"9..1", 'i', NULL},
        {"1..9, twice", 'i', NULL},
        {"1..9 distinct", 'i', NULL},
        {"one..", 'i', NULL},
        {"99999999999999999999..", 'i', NULL},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct sample_values v;
        struct text list = {0};
        assert_int_equal(sample_values_parse(&v, cases[k].text), cases[k].list != NULL);
        if (!cases[k].list)
            continue;
        sample_values_add(&list, &v, cases[k].type);
        assert_string_equal(list.data, cases[k].list);
        text_free(&list);
    }
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
        cmocka_unit_test(tests_with_keys),
        cmocka_unit_test(roles_are_shared),
        cmocka_unit_test(larger_tests_keep_roles),
        cmocka_unit_test(larger_tests_have_threads_without_role),
        cmocka_unit_test(locks_are_held_as_specified),
        cmocka_unit_test(ends_are_words_too),
        cmocka_unit_test(elements_have_unusual_values),
        cmocka_unit_test(values_are_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
