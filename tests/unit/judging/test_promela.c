/* SPDX-License-Identifier: Apache-2.0 */
/* Models in Promela: what their steps do, where mistakes are found, and what is known about items and threads. The numbers of
 * states are those that SPIN 6.5.2 gives (tests/scripts/spin.sh compares many more). */
#include "promela/promela.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/text.h"

static struct refine_system *load(const char *text, bool keep_dead)
{
    struct promela_settings settings = {.keep_dead = keep_dead};
    struct diagnostic d = {0};
    struct refine_system *s = promela_load_text("m.pml", text, strlen(text), &settings, &d);
    if (!s)
        fail_msg("%s\n%d:%d: %s", text, (int)d.line, (int)d.column, d.message);
    return s;
}

struct count {
    uint64_t states, steps, faults, deadlocks, local;
    char fault[200]; /* the first one */
};

/* Breadth first; arguments of calls are 1. */
static struct count explore(const struct refine_system *s)
{
    struct count c = {0};
    struct hash_map seen = {0};
    struct refine_steps out = {0};
    VEC(uint8_t) queue = {0};
    uint8_t *state = NEW_ZEROED(uint8_t, s->state_size + 1);
    s->initial(s, state);
    vec_reserve(&queue, s->state_size + 1);
    memcpy(queue.data, state, s->state_size);
    *hash_map_at(&seen, hash_bytes(state, s->state_size)) = 0;
    for (uint64_t n = 0; n < seen.count; n++) {
        memcpy(state, queue.data + n * s->state_size, s->state_size);
        refine_steps_clear(&out);
        s->steps(s, state, &out);
        c.deadlocks += out.steps.len == 0 && !s->is_final(s, state);
        for (size_t i = 0; i < out.steps.len; i++) {
            struct refine_step *step = &out.steps.data[i];
            uint8_t *next = out.states.data + i * s->state_size;
            c.steps++;
            c.local += step->is_local;
            if (step->kind == REFINE_FAULT) {
                if (c.faults++ == 0)
                    snprintf(c.fault, sizeof c.fault, "%u: %s", s->describe(s, step->place).line,
                             s->describe(s, step->place).text);
                continue;
            }
            for (uint32_t k = 0; step->kind == REFINE_CALL && k < step->arg_count; k++)
                refine_store(&s->locations[step->args[k]], next, 1);
            uint32_t *number = hash_map_at(&seen, hash_bytes(next, s->state_size));
            if (*number != HASH_NO_NUMBER)
                continue;
            *number = (uint32_t)seen.count;
            vec_reserve(&queue, seen.count * s->state_size + 1);
            memcpy(queue.data + (seen.count - 1) * s->state_size, next, s->state_size);
        }
    }
    c.states = seen.count;
    hash_map_free(&seen);
    refine_steps_free(&out);
    vec_free(&queue);
    free(state);
    return c;
}

static struct count explore_text(const char *text, bool keep_dead)
{
    struct refine_system *s = load(text, keep_dead);
    struct count c = explore(s);
    s->destroy(s);
    return c;
}

/* --- numbers of states ---------------------------------------------------------------------------- */

/* The body of init, and the states that SPIN stores with -o1 -o2 -o3 -DNOREDUCE. */
static const struct {
    const char *body;
    uint32_t states;
} bodies[] = {
    {"byte k; k = 1; k = 2", 4},
    {"byte k; k = 1\n k = 2", 4},
    {"byte k; goto L; k = 1; L: k = 2", 3},
    {"byte k; { goto M }; M: k = 1", 4},
    {"byte k; atomic { goto L }; L: k = 1", 4},
    {"byte k; if :: goto L :: k == 1 fi; k = 2; L: k = 3", 4},
    {"byte k; do :: break; skip od", 3},
    {"byte k; do :: k++; k > 3 -> break od", 2},
    {"byte k; select (k : 1 .. 2); k = 3", 5},
    {"byte k; for (k : 1 .. 2) { skip } k = 3", 11},
    {"byte k; if :: else fi", 3},
    {"byte k; if :: if :: k == 1 :: else -> k = 2 fi :: k = 3 fi", 5},
    {"byte k; if :: do :: k == 0; k = 1; break od -> k = 2 :: else fi; k = 3", 6},
    {"byte k; if :: else -> k = 5 :: k == 0 -> k = 1 fi", 4},
    {"byte k; atomic { k = 1 }; goto N; atomic { k = 3; N: k = 4; k = 5 }", 4},
    {"byte k; d_step { if :: k == 1 :: k == 0 -> k = 3 fi }", 3},
    {"byte k; d_step { k == 1; k == 2 }", 1},
    {"byte k; if :: atomic { k == 1; k = 2 } :: k == 0 -> k = 3 fi", 4},
    {"byte k; k = (k -> 3 : 4)", 3},
    {"byte k; k = 300; k == 44", 4},
    {"byte k; k = -1; k == 255", 4},
    {"short s = 40000; s < 0", 3},
    {"bool b; b = 2; b == 0", 4},
    {"unsigned u : 3; u = 9; u == 1", 4},
    {"int i; i = 1 << 31; i < 0; i = i >> 31; i == -1", 6},
    {"byte k; k = 3 + 2 * 4 == 11 && 1 || 0; k == 1", 4},
    {"byte k; k = !k + 1; k == 2", 4},
    {"byte k; k = 10 - 3 - 2; k == 5", 4},
    {"byte k = 7; k = -k / 2; k == 253", 4},
    {"byte k; { byte z = 3; k = z }", 4},
    {"byte k; end: k == 1", 1},
    {"byte a[3] = {1, 2, 3}; a[a[0]] == 2", 3},
    {"skip; _ = 3", 4},
};

static void test_counts_states(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct text t = {0};
        text_printf(&t, "init { %s }\n", bodies[i].body);
        struct count c = explore_text(t.data, true);
        if (c.states != bodies[i].states || c.faults)
            fail_msg("%s: %d states, not %d; %d faults", bodies[i].body, (int)c.states, (int)bodies[i].states,
                     (int)c.faults);
        text_free(&t);
    }
}

static void test_atomic_gives_control_away(void **unused)
{
    (void)unused;
    struct count c = explore_text("byte x, y;\n"
                                  "active proctype p() { atomic { x = 1; y == 1; x = 2; x = 3 } }\n"
                                  "active proctype q() { y = 1; assert(x != 2) }\n",
                                  false);
    assert_int_equal(c.faults, 0);
    assert_int_equal(c.deadlocks, 0);
    /* (0,0) (1 blocked,0) (0,1) (1 blocked,1) (3,1), each with q further */
    assert_int_equal(c.states, 8);
}

static void test_atomic_goes_on_after_a_jump_into_atomic(void **unused)
{
    (void)unused;
    struct count c =
        explore_text("byte x;\n"
                     "active proctype p() { atomic { x = 1; goto L }; atomic { x = 4; L: x = 2; x = 3 } }\n"
                     "active proctype q() { assert(x != 1 && x != 2) }\n",
                     false);
    assert_int_equal(c.faults, 0);
}

static void test_macros(void **unused)
{
    (void)unused;
    struct count c =
        explore_text("#define TWO 2\n#define MAX(a, b) (a > b -> a : b)\n#define JOIN(a, b) a ## b\n"
                     "#if defined(TWO) && TWO * 3 == 6 && !defined NOTHING\n#define OK1\n#else\n#error no\n"
                     "#endif\n#ifndef OK1\nbroken here\n#elif 1\nbyte xy = MAX(1, TWO);\n#endif\n"
                     "#undef TWO\n#ifdef TWO\nbroken\n#endif\n"
                     "#define SET(v, \\\n  w) v = w; assert(v == w)\n"
                     "init { assert(JOIN(x, y) == 2); SET(xy, 5); byte TWO = 3; assert(TWO == 3) }\n",
                     false);
    assert_int_equal(c.faults, 0);
    assert_int_equal(c.deadlocks, 0);
}

static void test_inlines(void **unused)
{
    (void)unused;
    struct count c = explore_text(
        "byte x, y;\n"
        "inline inc(v) { byte t; t = v; v = t + 1 }\n"
        "inline both(a, b) { inc(a); inc(b); if :: a > 5 -> goto out :: else fi; a = a + 10; out: skip }\n"
        "init { both(x, y); both(y, x); assert(x == 12 && y == 12) }\n",
        false);
    assert_string_equal(c.fault, "");
}

static void test_structures(void **unused)
{
    (void)unused;
    struct count c =
        explore_text("typedef P { byte a; short b[2] }\ntypedef Q { P p[3]; int c }\nQ q[2]; byte i = 1;\n"
                     "mtype = { red, green, blue }; mtype m = green;\n"
                     "init { q[i].p[i + 1].b[1] = -7; assert(q[1].p[2].b[1] == -7 && q[1].p[2].a == 0);\n"
                     " q[0].c = 100000; assert(q[i - 1].c == 100000); assert(red == 3 && m == 2) }\n",
                     false);
    assert_string_equal(c.fault, "");
    assert_int_equal(c.deadlocks, 0);
}

static void test_run_gives_arguments(void **unused)
{
    (void)unused;
    struct count c = explore_text(
        "byte x; proctype P(byte a; byte b) { byte c = a + b; x = c; assert(x == 5 && _pid == 1) }\n"
        "init { byte k = 2; atomic { run P(k, 3) } }\n",
        false);
    assert_string_equal(c.fault, "");
    assert_int_equal(c.states, 4);
}

/* --- faults --------------------------------------------------------------------------------------- */

static const struct {
    const char *text, *fault;
} faults[] = {
    {"init { assert(1 == 2) }", "1: assert(1 == 2): the assertion is violated"},
    {"byte a[2], i = 2;\ninit {\n a[i] = 1 }", "3: a[i] = 1: an index is out of range"},
    {"byte a[2]; int i = -1;\ninit { a[i] > 0 }", "2: a[i] > 0: an index is out of range"},
    {"byte i;\ninit { i = 4 / i }", "2: i = 4 / i: division by zero"},
    {"byte i;\ninit { d_step { i = 1; i == 2; skip } }",
     "2: d_step { i = 1; i == 2; skip }: the d_step has to wait inside"},
    {"byte i;\ninit { atomic { do :: i = 1 - i od } }", "2: i = 1 - i: the atomic sequence never ends"},
    {"byte i;\ninit { atomic { skip; i = 2; assert(i == 1) } }",
     "2: assert(i == 1): the assertion is violated"},
    {"byte x;\nactive proctype p() { CALL(get, x);\n atomic { POINT(get, 1); POINT(get, 2) } }",
     "3: POINT(get, 2): two linearization points in one step"},
};

static void test_faults(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct count c = explore_text(faults[i].text, false);
        assert_string_equal(c.fault, faults[i].fault);
    }
}

/* --- mistakes ------------------------------------------------------------------------------------- */

static const struct {
    int code, line, column;
    const char *text, *message;
} mistakes[] = {
#include "promela/mistakes.inc"
};

static void test_mistakes(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        struct promela_settings settings = {0};
        struct diagnostic d = {0};
        struct refine_system *s =
            promela_load_text("m.pml", mistakes[i].text, strlen(mistakes[i].text), &settings, &d);
        if (s || d.code != mistakes[i].code || (int)d.line != mistakes[i].line ||
            (int)d.column != mistakes[i].column || strcmp(d.message, mistakes[i].message))
            fail_msg("    {%d, %d, %d, \"%s\", \"%s\"},", d.code, (int)d.line, (int)d.column,
                     mistakes[i].text, d.message);
    }
}

/* --- what is known about a model ------------------------------------------------------------------ */

static const char queue[] =
    "byte q[3], n;\n"
    "active [2] proctype client() {\n"
    "  byte x;\n"
    "  do\n"
    "  :: CALL(enq, x); d_step { n < 3; q[n] = x; n++; POINT(enq, OK) } RET(enq, OK)\n"
    "  :: CALL(deq, _); atomic { x = q[0]; q[0] = q[1]; q[1] = q[2]; q[2] = NONE;\n"
    "       n = (n -> n - 1 : 0); POINT(deq, x) } RET(deq, x)\n"
    "  od\n"
    "}\n";

static void test_calls_and_returns(void **unused)
{
    (void)unused;
    struct refine_system *s = load(queue, false);
    struct refine_steps out = {0};
    uint8_t state[64];
    assert_int_equal(s->threads, 2);
    assert_true(s->symmetric);
    assert_int_equal(s->thread_size, 2);
    assert_int_equal(s->op_count, 2);
    assert_true(s->state_size <= sizeof state);
    s->initial(s, state);
    s->steps(s, state, &out);
    assert_int_equal(out.steps.len, 4);
    assert_int_equal(out.steps.data[0].kind, REFINE_CALL);
    assert_int_equal(out.steps.data[0].arg_count, 1);
    assert_int_equal(out.steps.data[1].arg_count, 0);
    assert_int_equal(out.steps.data[2].thread, 1);
    memcpy(state, out.states.data, s->state_size);
    refine_store(&s->locations[out.steps.data[0].args[0]], state, 9);
    refine_steps_clear(&out);
    s->steps(s, state, &out);
    assert_true(out.steps.data[0].has_point);
    assert_int_equal(out.steps.data[0].point, REFINE_OK);
    memcpy(state, out.states.data, s->state_size);
    char text[200];
    s->print(s, state, text, sizeof text);
    assert_string_equal(text, "q = [9 0 0], n = 1; client 0: x = 0; client 1: x = 0");
    refine_steps_clear(&out);
    s->steps(s, state, &out);
    assert_int_equal(out.steps.data[0].kind, REFINE_RETURN);
    assert_int_equal(out.steps.data[0].value, REFINE_OK);
    assert_string_equal(s->describe(s, out.steps.data[0].place).text, "RET(enq, OK)");
    refine_steps_free(&out);
    s->destroy(s);
}

static void test_finds_items(void **unused)
{
    (void)unused;
    struct refine_system *s = load(queue, false);
    struct diagnostic d = {0};
    assert_true(promela_is_data_independent(s, false, &d));
    /* q[0..2], n, x of both */
    static const bool wanted[] = {true, true, true, false, true, true};
    assert_int_equal(s->location_count, 6);
    for (uint32_t i = 0; i < s->location_count; i++)
        assert_int_equal(s->locations[i].is_data, wanted[i]);
    s->destroy(s);
}

static const struct {
    const char *body, *objection;
    bool only_unordered;
    int column;
} objections[] = {
    {"CALL(f, x); y = x; RET(f, y)", NULL, false, 0},
    {"CALL(f, x); y = (z -> x : NONE); if :: y == NONE :: y != 0 && !x :: y -> skip fi; RET(f, (z -> y : "
     "OK))",
     NULL, false, 0},
    {"CALL(f, x); x++; RET(f, OK)", "\"x\" holds items, and here receives something else", false, 13},
    {"CALL(f, x); z = x + 1; RET(f, OK)", "\"x\" holds items, and is used as a number", false, 17},
    {"CALL(f, x); y = x; y == 3; RET(f, OK)", "an item is compared with something other than NONE", false,
     22},
    {"CALL(f, x); y = x; x == y; RET(f, OK)", "an item is compared with something other than NONE", false,
     22},
    {"CALL(f, x); y = x; x < y; RET(f, OK)", "items are compared by their order", true, 22},
    {"CALL(f, x); x < 7; RET(f, OK)", "an item is compared with a number", false, 15},
    {"CALL(f, x); a[x] = 1; RET(f, OK)", "\"x\" holds items, and is used as a number", false, 15},
    {"CALL(f, x); a[0] = x; y = a[1]; y = 4; RET(f, OK)",
     "\"y\" holds items, and here receives something else", false, 37},
    {"CALL(f, b); RET(f, OK)", "\"b\" holds items, and has less than 8 bits", false, 0},
};

static void test_objects_to_looking_into_items(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof objections / sizeof *objections; i++) {
        struct text t = {0};
        text_printf(&t, "active proctype p() { byte x, y, z, a[2]; bool b;\n%s }\n", objections[i].body);
        struct refine_system *s = load(t.data, false);
        struct diagnostic d = {0}, ordered = {0};
        bool fine = promela_is_data_independent(s, false, &d);
        bool fine_ordered = promela_is_data_independent(s, true, &ordered);
        assert_int_equal(fine, !objections[i].objection);
        assert_int_equal(fine_ordered, !objections[i].objection || objections[i].only_unordered);
        if (objections[i].objection) {
            assert_string_equal(d.message, objections[i].objection);
            assert_int_equal(d.code, PL_MODEL_ITEMS);
            if (objections[i].column)
                assert_int_equal(d.column, objections[i].column);
        }
        s->destroy(s);
        text_free(&t);
    }
}

/* Values that are never read again do not tell states apart. */
static void test_dead_variables(void **unused)
{
    (void)unused;
    const char *text =
        "byte x; active proctype p() { byte k, m[2]; select (k : 1 .. 9); m[1] = k; x = m[1] & 1;\n"
        " select (k : 1 .. 9); x = k & 1; x = 0 }\n";
    assert_int_equal(explore_text(text, false).states, 1 + 9 + 9 + 2 + 2 * 9 + 2 + 1);
    assert_true(explore_text(text, true).states > 150);
}

static void test_local_steps(void **unused)
{
    (void)unused;
    struct count c =
        explore_text("byte x; active [2] proctype p() { byte k; k = 1; k = k + 1; x = k }\n", false);
    assert_int_equal(c.local, 2 * 2 * 4);
    /* A loop of local steps has one that is not. */
    c = explore_text("byte x; active proctype p() { byte k; do :: k = 1 - k od }\n", false);
    assert_int_equal(c.local, 0);
    /* A choice is none, and neither is what others can make possible. */
    c = explore_text(
        "byte x; active proctype p() { byte k; if :: k = 1 :: k = 2 fi; if :: k == 3 :: x == 1 fi }\n",
        false);
    assert_int_equal(c.local, 0);
}

static void test_symmetry(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        bool symmetric;
    } cases[] = {
        {"active [3] proctype c() { byte x; CALL(f, x); RET(f, x) }", true},
        {"active [3] proctype c() { byte x; CALL(f, x); RET(f, _pid) }", false},
        {"active proctype c() { CALL(f, _); RET(f, 1) } active proctype d() { CALL(f, _); RET(f, 1) }",
         false},
        {"proctype c() { CALL(f, _); RET(f, 1) } init { run c(); run c() }", false},
        {"active [2] proctype c() { CALL(f, _); RET(f, 1) } byte x; active proctype d() { x = _pid }", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct refine_system *s = load(cases[i].text, false);
        assert_int_equal(s->symmetric, cases[i].symmetric);
        s->destroy(s);
    }
}

static void test_sequential_specifications(void **unused)
{
    (void)unused;
    const char *text = "byte n; SEQUENTIAL proctype counter() { do :: CALL(inc, _); n++; RET(inc, OK)"
                       " :: CALL(get, _); RET(get, n) od }\n"
                       "active [2] proctype client() { CALL(inc, _); RET(inc, OK) }\n";
    struct promela_settings settings = {.sequential = true};
    struct diagnostic d = {0};
    struct refine_system *s = promela_load_text("m.pml", text, strlen(text), &settings, &d);
    assert_non_null(s);
    assert_int_equal(s->threads, 1);
    s->destroy(s);
    s = load(text, false);
    assert_int_equal(s->threads, 2);
    s->destroy(s);
    text = "active [2] proctype a() { CALL(f, _); RET(f, 1) } proctype b() { skip }";
    assert_null(promela_load_text("m.pml", text, strlen(text), &settings, &d));
}

static void test_definitions_of_the_command_line(void **unused)
{
    (void)unused;
    const char *defines[] = {"N=3", "FLAG"};
    struct promela_settings settings = {.defines = defines, .define_count = 2};
    struct diagnostic d = {0};
    const char *text = "#ifndef N\n#define N 1\n#endif\n#ifdef FLAG\nactive [N] proctype c() { CALL(f, _); "
                       "RET(f, N) }\n#endif\n";
    struct refine_system *s = promela_load_text("m.pml", text, strlen(text), &settings, &d);
    assert_non_null(s);
    assert_int_equal(s->threads, 3);
    s->destroy(s);
    assert_null(promela_load("/nowhere/m.pml", &settings, &d));
    assert_int_equal(d.code, PL_CANNOT_OPEN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_states),
        cmocka_unit_test(test_atomic_gives_control_away),
        cmocka_unit_test(test_atomic_goes_on_after_a_jump_into_atomic),
        cmocka_unit_test(test_macros),
        cmocka_unit_test(test_inlines),
        cmocka_unit_test(test_structures),
        cmocka_unit_test(test_run_gives_arguments),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_calls_and_returns),
        cmocka_unit_test(test_finds_items),
        cmocka_unit_test(test_objects_to_looking_into_items),
        cmocka_unit_test(test_dead_variables),
        cmocka_unit_test(test_local_steps),
        cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_sequential_specifications),
        cmocka_unit_test(test_definitions_of_the_command_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
