/* SPDX-License-Identifier: Apache-2.0 */
/* The reader of litmus tests: what it makes of right ones, and where it finds the mistake in wrong ones. */
#include "litmus/litmus.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void parse(struct litmus_test *t, const char *text)
{
    struct diagnostic d = {0};
    if (!litmus_parse(t, text, strlen(text), &d))
        fail_msg("%d:%d: %s", (int)d.line, (int)d.column, d.message);
}

/* A test with one thread of this body over x and y. */
static void parse_body(struct litmus_test *t, const char *body)
{
    struct text text = {0};
    text_printf(&text, "C t\n{}\nP0 (atomic_int* x, atomic_int* y) {%s}\n", body);
    parse(t, text.data);
    text_free(&text);
}

static const struct instruction *code(const struct litmus_test *t, size_t n)
{
    assert_true(n < t->program.threads[0].code.len);
    return &t->program.threads[0].code.data[n];
}

static int64_t evaluate(const struct litmus_test *t, const struct instruction *i, int64_t r0)
{
    int64_t registers[PROGRAM_REGISTERS_MAX] = {r0};
    return program_evaluate(&t->program, i->expression, registers);
}

/* ------------------------------------------------------------------ right tests */

static void test_whole(void **state)
{
    (void)state;
    struct litmus_test t;
    parse(&t, "C SB+x-y.1\n\"a doc string\"\nHash=12 34\nCycle=a b\n(* a (* nested *) comment *)\n"
              "{ x=3; [y]=-1; int z = 0x10; atomic_int w; 1:r9=7; }\n"
              "P0 (atomic_int* x, volatile int* y) { // comment\n"
              "  int r0 = atomic_load_explicit(x, memory_order_acquire); /* comment */ }\n"
              "P1 (_Atomic(int) *v) { atomic_store(v, r9); }\n"
              "(* between *) locations [x; 0:r0;] filter (w=0)\n"
              "exists (0:r0=3 /\\ ~(1:r9=7 \\/ [y]=2))");
    assert_string_equal(t.name, "SB+x-y.1");
    assert_int_equal(t.program.thread_count, 2);
    assert_int_equal(t.program.location_count, 5);
    assert_int_equal(t.program.initial[0], 3);
    assert_int_equal(t.program.initial[1], -1);
    assert_int_equal(t.program.initial[2], 16);
    assert_int_equal(t.program.initial[4], 0);
    assert_int_equal(t.program.threads[0].code.len, 1);
    assert_int_equal(t.program.threads[1].code.len, 2);
    struct text condition = {0};
    litmus_print_condition(&condition, &t);
    assert_string_equal(condition.data, "exists (0:r0=3 /\\ not (1:r9=7 \\/ [y]=2))");
    text_free(&condition);
    /* 0:r0 1:r9 w x y; the filter's w is not printed */
    assert_int_equal(t.observed.len, 5);
    assert_string_equal(litmus_place_name(&t, t.observed.data[2]), "w");
    assert_false(t.observed.data[2].printed);
    assert_true(t.observed.data[3].printed);
    assert_true(litmus_holds(&t, t.condition, (int64_t[]){3, 6, 0, 0, 1}));
    assert_false(litmus_holds(&t, t.condition, (int64_t[]){3, 7, 0, 0, 1}));
    assert_false(litmus_holds(&t, t.condition, (int64_t[]){2, 6, 0, 0, 1}));
    litmus_free(&t);
}

static void test_no_condition(void **state)
{
    (void)state;
    struct litmus_test t;
    parse(&t, "C t\n{}\nP0 (void) {}\n");
    assert_int_equal(t.quantifier, LITMUS_FORALL);
    assert_true(litmus_holds(&t, t.condition, NULL));
    litmus_free(&t);
}

static void test_precedence(void **state)
{
    static const struct {
        const char *text;
        int64_t value; /* with r0 == 3 */
    } cases[] = {
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"10 - 3 - 2", 5},
        {"1 | 6 & 3", 3},
        {"5 ^ 1 == 1", 4},
        {"1 + 1 == 2", 1},
        {"2 < 1 == 0", 1},
        {"!0 + 1", 2},
        {"-r0 + 1", -2},
        {"~r0", -4},
        {"r0 > 2 && r0 <= 3", 1},
        {"0 && 0 || 1", 1},
        {"r0 >= 4", 0},
        {"r0 != 3", 0},
        {"(int)r0 - (-1)", 4},
        {"010 + 0x1fUL", 39},
        {"- - 1", 1},
        {"+r0", 3},
        {"!!r0", 1},
        {"1 < 2 < 2", 1},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct litmus_test t;
        struct text body = {0};
        text_printf(&body, "int r0; int r1 = %s;", cases[k].text);
        parse_body(&t, body.data);
        if (evaluate(&t, code(&t, 0), 3) != cases[k].value)
            fail_msg("%s is %d", cases[k].text, (int)evaluate(&t, code(&t, 0), 3));
        litmus_free(&t);
        text_free(&body);
    }
}

static void test_calls(void **state)
{
    (void)state;
    struct litmus_test t;
    parse_body(
        &t, "int r0 = 5; atomic_store(x, r0 + 1); r0 = atomic_fetch_sub_explicit(y, 2, memory_order_acq_rel);"
            "atomic_thread_fence(memory_order_relaxed); atomic_thread_fence(memory_order_seq_cst);"
            "int r1 = atomic_compare_exchange_weak_explicit(x, &r0, 9, memory_order_release, "
            "memory_order_relaxed);");
    const struct instruction *store = code(&t, 1), *sub = code(&t, 2), *fence = code(&t, 3),
                             *cas = code(&t, 4);
    assert_int_equal(t.program.threads[0].code.len, 5);
    assert_int_equal(store->order, ORDER_SEQ_CST);
    assert_int_equal(store->target, -1);
    assert_int_equal(evaluate(&t, store, 5), 6);
    assert_int_equal(sub->operation, OPERATION_SUB);
    assert_int_equal(sub->target, 0);
    assert_int_equal(sub->order, ORDER_ACQ_REL);
    assert_int_equal(fence->kind, INSTRUCTION_FENCE);
    assert_int_equal(cas->kind, INSTRUCTION_CAS);
    assert_true(cas->weak);
    assert_int_equal(cas->expected_register, 0);
    assert_int_equal(cas->order, ORDER_RELEASE);
    assert_int_equal(cas->failure_order, ORDER_RELAXED);
    assert_string_equal(t.registers[0][cas->target], "r1");
    litmus_free(&t);
}

/* The result must not go to the register that holds the expected value before that one is written. */
static void test_cas_into_its_own_expected(void **state)
{
    (void)state;
    struct litmus_test t;
    parse_body(&t, "int r0 = 0; r0 = atomic_compare_exchange_strong(x, &r0, 1);");
    assert_int_equal(code(&t, 1)->kind, INSTRUCTION_CAS);
    assert_int_not_equal(code(&t, 1)->target, 0);
    assert_int_equal(code(&t, 2)->kind, INSTRUCTION_SET);
    assert_int_equal(code(&t, 2)->target, 0);
    litmus_free(&t);
}

static void test_expected_in_memory(void **state)
{
    (void)state;
    struct litmus_test t;
    parse(
        &t,
        "C t\n{}\nP0 (atomic_int* x, int* e) { int r0 = atomic_compare_exchange_strong(x, e, 1); *e = r0; }\n"
        "P1 (atomic_int* x) { atomic_store(x, 1); }");
    /* load e; cas; skip the store when it succeeded; store e; set r0; store e */
    assert_int_equal(t.program.threads[0].code.len, 6);
    assert_int_equal(code(&t, 2)->kind, INSTRUCTION_JUMP_IF_ZERO);
    assert_int_equal(code(&t, 2)->destination, 4);
    assert_int_equal(code(&t, 4)->target, 0);
    litmus_free(&t);
}

static void test_plain(void **state)
{
    (void)state;
    struct litmus_test t;
    parse(&t, "C t\n{}\nP0 (atomic_int* x, volatile int* y) { *x = 1; *y = 2 * *y; int r0 = *x + *y; }");
    static const uint8_t orders[] = {ORDER_SEQ_CST, ORDER_PLAIN, ORDER_PLAIN, ORDER_SEQ_CST, ORDER_PLAIN};
    assert_int_equal(t.program.threads[0].code.len, 6);
    for (size_t k = 0; k < sizeof orders; k++)
        assert_int_equal(code(&t, k)->order, orders[k]);
    assert_true(t.has_plain_accesses);
    litmus_free(&t);
}

static void test_control(void **state)
{
    (void)state;
    struct litmus_test t;
    parse_body(
        &t,
        "if (atomic_load(x) == 1) { int r0 = 1; } else if (atomic_load(y)) int r0 = 2; else { int r0 = 3; }"
        "int r9; while ((r9 = atomic_load_explicit(x, memory_order_acquire)) < 2);"
        "do { r9 = atomic_load(y); } while (r9 == 0); while (!atomic_load(x)) {}");
    static const enum instruction_kind kinds[] = {
        INSTRUCTION_ACCESS, INSTRUCTION_JUMP_IF_ZERO, INSTRUCTION_SET,   INSTRUCTION_JUMP,
        INSTRUCTION_ACCESS, INSTRUCTION_JUMP_IF_ZERO, INSTRUCTION_SET,   INSTRUCTION_JUMP,
        INSTRUCTION_SET,    INSTRUCTION_AWAIT,        INSTRUCTION_AWAIT, INSTRUCTION_AWAIT};
    assert_int_equal(t.program.threads[0].code.len, sizeof kinds / sizeof *kinds);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        assert_int_equal(code(&t, k)->kind, kinds[k]);
    assert_int_equal(code(&t, 1)->destination, 4);
    assert_int_equal(code(&t, 3)->destination, 9);
    assert_int_equal(code(&t, 5)->destination, 8);
    assert_int_equal(code(&t, 7)->destination, 9);
    litmus_free(&t);
}

/* ------------------------------------------------------------------ wrong tests */

#define HEAD "C t\n{}\nP0 (atomic_int* x, atomic_int* y) {\n"

static const struct {
    const char *text;
    int code;
    uint64_t line, column;
    const char *message; /* part of it */
} wrong[] = {
    {"", PL_LITMUS_SYNTAX, 1, 1, "empty"},
    {"C\n{}", PL_LITMUS_SYNTAX, 1, 2, "no name"},
    {"C a\033[1m\n{}", PL_LITMUS_SYNTAX, 1, 4, "no meaning"},
    {"X86 SB\n{}", PL_LITMUS_UNSUPPORTED, 1, 1, "only litmus tests in C"},
    {"C t\n{ x=1 y=2; }", PL_LITMUS_SYNTAX, 2, 7, "expected ';', not 'y'"},
    {"C t\n{ x=1; x=2; }", PL_LITMUS_SYNTAX, 2, 8, "already"},
    {"C t\n{ x=y; }", PL_LITMUS_UNSUPPORTED, 2, 5, "addresses"},
    {"C t\n{ int *x=0; }", PL_LITMUS_UNSUPPORTED, 2, 7, "pointers"},
    {"C t\n{ int x[2]; }", PL_LITMUS_UNSUPPORTED, 2, 8, "arrays"},
    {"C t\n{ 2:r0=1; }\nP0 (void) {}", PL_LITMUS_SYNTAX, 2, 3, "no thread P2"},
    {"C t\n{ x=99999999999999999999; }", PL_LITMUS_SYNTAX, 2, 5, "beyond 64 bits"},
    {"C t\n{}\nexists (x=1)", PL_LITMUS_SYNTAX, 3, 1, "expected a thread"},
    {"C t\n{}\nP0", PL_LITMUS_SYNTAX, 3, 3, "expected '('"},
    {"C t\n{}\nP00 (void) {}", PL_LITMUS_SYNTAX, 3, 1, "expected 'P0'"},
    {"C t\n{}\nP1 (void) {}", PL_LITMUS_SYNTAX, 3, 1, "expected 'P0'"},
    {"C t\n{}\nP0 (int x) {}", PL_LITMUS_UNSUPPORTED, 3, 9, "only pointers"},
    {"C t\n{}\nP0 (int* x, int* x) {}", PL_LITMUS_SYNTAX, 3, 18, "two parameters"},
    {"C t\n{}\nP0 (struct s* x) {}", PL_LITMUS_UNSUPPORTED, 3, 5, "integer types"},
    {"C t\n{}\nP0 (void) {} (* open", PL_LITMUS_SYNTAX, 3, 13, "comment without an end"},
    {HEAD, PL_LITMUS_SYNTAX, 4, 1, "expected '}', but the file ends"},
    {HEAD "int r0 = r1; }", PL_LITMUS_SYNTAX, 4, 10, "'r1' is not declared"},
    {HEAD "r0 = 1; }", PL_LITMUS_SYNTAX, 4, 1, "'r0' is not declared"},
    {HEAD "int r0; int r0; }", PL_LITMUS_SYNTAX, 4, 13, "declared twice"},
    {HEAD "int r0; { int r0; } }", PL_LITMUS_SYNTAX, 4, 15, "declared twice"},
    {HEAD "{ int r0; } r0 = 1; }", PL_LITMUS_SYNTAX, 4, 13, "not declared"},
    {HEAD "int x; }", PL_LITMUS_SYNTAX, 4, 5, "parameter"},
    {HEAD "int r0 = x; }", PL_LITMUS_UNSUPPORTED, 4, 10, "addresses"},
    {HEAD "int r0 = 1 / 1; }", PL_LITMUS_SYNTAX, 4, 12, "expected ';', not '/'"},
    {HEAD "int r0 = 09; }", PL_LITMUS_SYNTAX, 4, 10, "not a number"},
    {HEAD "atomic_store(z, 1); }", PL_LITMUS_SYNTAX, 4, 14, "'z' is not a parameter"},
    {HEAD "atomic_store(x, 1) }", PL_LITMUS_SYNTAX, 4, 20, "expected ';'"},
    {HEAD "atomic_store_explicit(x, 1, memory_order_acquire); }", PL_LITMUS_SYNTAX, 4, 29, "a store cannot"},
    {HEAD "int r = atomic_load_explicit(x, memory_order_release); }", PL_LITMUS_SYNTAX, 4, 33,
     "a load cannot"},
    {HEAD "atomic_load_explicit(x, relaxed); }", PL_LITMUS_SYNTAX, 4, 25, "memory order"},
    {HEAD "int e; atomic_compare_exchange_strong_explicit(x, &e, 1, memory_order_seq_cst, "
          "memory_order_release); }",
     PL_LITMUS_SYNTAX, 4, 80, "a load cannot"},
    {HEAD "int r0 = READ_ONCE(*x); }", PL_LITMUS_UNSUPPORTED, 4, 10, "Linux kernel litmus is not supported"},
    {HEAD "smp_mb(); }", PL_LITMUS_UNSUPPORTED, 4, 1, "Linux kernel litmus is not supported"},
    {HEAD "printf(1); }", PL_LITMUS_UNSUPPORTED, 4, 1, "'printf'"},
    {HEAD "for (;;) {} }", PL_LITMUS_UNSUPPORTED, 4, 1, "'for'"},
    {HEAD "while (1) {} }", PL_LITMUS_UNSUPPORTED, 4, 1, "only loops that wait"},
    {HEAD "while (atomic_fetch_add(x, 1)) {} }", PL_LITMUS_UNSUPPORTED, 4, 1, "only loops that wait"},
    {HEAD "int r = 1 && atomic_load(x); }", PL_LITMUS_UNSUPPORTED, 4, 14, "on the right of '&&'"},
    {HEAD "}\nexists (0:r0=1)", PL_LITMUS_SYNTAX, 5, 11, "no variable"},
    {HEAD "}\nexists (1:r0=1)", PL_LITMUS_SYNTAX, 5, 9, "no thread P1"},
    {HEAD "}\nexists (z=1)", PL_LITMUS_SYNTAX, 5, 9, "no location"},
    {HEAD "}\nexists (x=1", PL_LITMUS_SYNTAX, 5, 12, "expected ')'"},
    {HEAD "}\nexists (x=1) y", PL_LITMUS_SYNTAX, 5, 14, "or the end"},
    {HEAD "}\nexists (x=&y)", PL_LITMUS_UNSUPPORTED, 5, 11, "addresses"},
    {HEAD "}\nlocations [x; y", PL_LITMUS_SYNTAX, 5, 16, "expected ';'"},
    {HEAD "}\nfilter (x=1) filter (x=1)", PL_LITMUS_SYNTAX, 5, 21, "second filter"},
    {HEAD "#define }", PL_LITMUS_SYNTAX, 4, 1, "no meaning"},
};

static void test_wrong(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct litmus_test t;
        struct diagnostic d = {0};
        size_t length = strlen(wrong[k].text);
        char *exact = memcpy(base_alloc(length + 1), wrong[k].text, length); /* without its end */
        exact = base_realloc(exact, length ? length : 1);
        if (litmus_parse(&t, exact, length, &d))
            fail_msg("taken: %s", wrong[k].text);
        if (d.code != wrong[k].code || d.line != wrong[k].line || d.column != wrong[k].column ||
            !strstr(d.message, wrong[k].message))
            fail_msg("%s\n%d:%d: %s [%d]", wrong[k].text, (int)d.line, (int)d.column, d.message, d.code);
        litmus_free(&t);
        free(exact);
    }
}

static void test_too_deep(void **state)
{
    static const char *const pieces[] = {"(", "!", "- ", "if (1) ", "{", "do ", "(r = ", "+ "};
    (void)state;
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
        struct text text = {0};
        struct litmus_test t;
        struct diagnostic d = {0};
        text_puts(&text, HEAD "int r; ");
        text_puts(&text, strchr("(!-+", pieces[k][0]) ? "r = " : "");
        text_repeat(&text, pieces[k], 100000);
        assert_false(litmus_parse(&t, text.data, text.len, &d));
        assert_int_equal(d.code, PL_LITMUS_UNSUPPORTED);
        assert_non_null(strstr(d.message, "too deep"));
        litmus_free(&t);
        text_free(&text);
    }
}

/* Long chains are deep trees. */
static void test_too_large(void **state)
{
    static const char *const starts[] = {HEAD "int r = 1", HEAD "}\nexists (x=1"}, *const pieces[] = {
                                                                                       "+1", "\\/x=1"};
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        struct text text = {0};
        struct litmus_test t;
        struct diagnostic d = {0};
        text_puts(&text, starts[k]);
        text_repeat(&text, pieces[k], 100000);
        assert_false(litmus_parse(&t, text.data, text.len, &d));
        assert_non_null(strstr(d.message, "too large"));
        litmus_free(&t);
        text_free(&text);
    }
}

static void test_too_many(void **state)
{
    struct text text = {0};
    struct litmus_test t;
    struct diagnostic d = {0};
    (void)state;
    text_puts(&text, HEAD);
    for (int k = 0; k <= PROGRAM_REGISTERS_MAX; k++)
        text_printf(&text, "int r%d;", k);
    assert_false(litmus_parse(&t, text.data, text.len, &d));
    assert_non_null(strstr(d.message, "more than 32 variables"));
    litmus_free(&t);
    text_clear(&text);
    text_puts(&text, "C t\n{}\n");
    for (int k = 0; k <= PROGRAM_THREADS_MAX; k++)
        text_printf(&text, "P%d (void) {}\n", k);
    assert_false(litmus_parse(&t, text.data, text.len, &d));
    litmus_free(&t);
    text_clear(&text);
    text_puts(&text, "C t\n{");
    for (int k = 0; k <= PROGRAM_LOCATIONS_MAX; k++)
        text_printf(&text, "x%d;", k);
    assert_false(litmus_parse(&t, text.data, text.len, &d));
    assert_non_null(strstr(d.message, "more than 64 locations"));
    litmus_free(&t);
    text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_no_condition),
        cmocka_unit_test(test_precedence),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_cas_into_its_own_expected),
        cmocka_unit_test(test_expected_in_memory),
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_control),
        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_too_deep),
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
