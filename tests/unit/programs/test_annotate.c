/* SPDX-License-Identifier: Apache-2.0 */
/* Annotations of any size are read in time that grows with their size: each text here would take many minutes if one word cost as
 * much as the whole text. What would cost more is refused, with a sentence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "annotate/annotate.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 2 << 20 };

static void repeat(struct text *t, const char *words, size_t bytes)
{
    for (size_t to = t->len + bytes; t->len < to;)
        text_puts(t, words);
}

static enum annotate_outcome translate(struct text *t, enum annotate_language language,
                                       struct annotate_result *result)
{
    enum annotate_outcome outcome = annotate_translate(t->data, t->len, language, result);
    text_free(t);
    return outcome;
}

static void is_done(struct text *t, const char *has)
{
    struct annotate_result result;
    assert_int_equal(translate(t, ANNOTATE_C, &result), ANNOTATE_DONE);
    assert_non_null(strstr(result.text.data, has));
    annotate_result_free(&result);
}

static void is_refused(struct text *t, enum annotate_language language, const char *message)
{
    struct annotate_result result;
    bool found = false;
    assert_int_equal(translate(t, language, &result), ANNOTATE_WRONG);
    assert_true(result.errors.len <= 100);
    for (size_t k = 0; k < result.errors.len; k++)
        found |= strstr(result.errors.data[k].message, message) != NULL;
    if (!found)
        print_error("expected: %s\ngot: %s\n", message, result.errors.data[0].message);
    assert_true(found);
    annotate_result_free(&result);
}

static void begin_structure(struct text *t)
{
    text_puts(t, "/** @Structure_Define\n@DeclareVar: int x;\n");
}

/* --- large and right ----------------------------------------------------------------------------- */

static void long_comments(void **state)
{
    (void)state;
    struct text t = {0};
    begin_structure(&t);
    while (t.len < LARGE) {
        text_puts(&t, "@InitVar: x = 0;\n");
        repeat(&t, "x = x + 1;\n", 32000);
    }
    text_puts(&t, "*/\n");
    is_done(&t, "plumb_structure_");
}

static void long_comments_without_annotations(void **state)
{
    (void)state;
    struct text t = {0};
    repeat(&t, "/* a@b */ x ", LARGE);
    repeat(&t, "// a@b\n", LARGE);
    struct annotate_result result;
    assert_int_equal(translate(&t, ANNOTATE_C, &result), ANNOTATE_NOTHING);
    annotate_result_free(&result);
}

static void many_macros(void **state)
{
    (void)state;
    struct text t = {0};
    for (unsigned k = 0; k < 40000; k++)
        text_printf(&t, "#define N%u %u\n", k, k);
    begin_structure(&t);
    for (unsigned k = 0; k < 100; k++) {
        text_puts(&t, "@InitVar: x = 0;\n");
        repeat(&t, "x = N7 + y + z + u + v + w;\n", 30000);
    }
    text_puts(&t, "*/\n");
    is_done(&t, "plumb_structure_");
}

static void many_points(void **state)
{
    (void)state;
    struct text t = {0};
    text_puts(&t, "int f(int a)\n{\n");
    for (unsigned k = 0; k < 4000; k++) {
        text_puts(&t, "/* @Ordering_Point_Clear: a */;\n");
        repeat(&t, "a += 1;\n", 500);
    }
    text_puts(&t, "return a;\n}\n");
    is_done(&t, "PLUMB_POINT_CLEAR");
}

/* The newest definition before the comment counts. */
static void macros_are_redefined(void **state)
{
    (void)state;
    struct text t = {0};
    struct annotate_result result;
    text_puts(&t, "#define A first\n#define AB other\n#undef A\n#define A second\n/** @Structure_Define\n"
                  "@DeclareVar: int x;\n@InitVar: x = A + AB; */\n#undef A\n#define A third\n");
    assert_int_equal(translate(&t, ANNOTATE_C, &result), ANNOTATE_DONE);
    const char *init = strstr(result.text.data, "->x)");
    assert_non_null(strstr(init, "second"));
    assert_non_null(strstr(init, "other"));
    assert_null(strstr(init, "first"));
    assert_null(strstr(init, "third"));
    annotate_result_free(&result);
}

/* --- refused ------------------------------------------------------------------------------------- */

static void limits_are_named(void **state)
{
    (void)state;
    struct text t = {0};
    begin_structure(&t);
    text_puts(&t, "@InitVar: ");
    repeat(&t, "x = 1;\n", LARGE);
    text_puts(&t, "*/");
    is_refused(&t, ANNOTATE_C, "more than 20000 words");

    repeat(&t, "/** @Structure_Define */\n", LARGE);
    is_refused(&t, ANNOTATE_C, "at most 4096 are read");

    begin_structure(&t);
    repeat(&t, "@Ordring_Point: x\n", LARGE / 8);
    text_puts(&t, "*/");
    is_refused(&t, ANNOTATE_C, "too many errors in annotations");

    repeat(&t, "struct A ( {", LARGE);
    text_puts(&t, "\n/** @Structure_Define */");
    is_refused(&t, ANNOTATE_C, "more than 256 braces");

    repeat(&t, "R\"", LARGE);
    text_puts(&t, "/** @Structure_Define */");
    is_refused(&t, ANNOTATE_CXX, "behind column 4096");

    begin_structure(&t);
    text_puts(&t, "@DeclareVar:");
    for (unsigned k = 0; k < 6000; k++)
        text_printf(&t, " int v%u;", k);
    text_puts(&t, "*/");
    is_refused(&t, ANNOTATE_C, "more than 128 variables");
}

static void macros_have_limits(void **state)
{
    (void)state;
    struct text t = {0};
    for (unsigned k = 0; k < 40; k++)
        text_printf(&t, "#define D%u D%u D%u\n", k, k + 1, k + 1);
    begin_structure(&t);
    text_puts(&t, "@InitVar: D0; */");
    is_refused(&t, ANNOTATE_C, "more than 50000 words");

    text_puts(&t, "#define F(a) a\n");
    begin_structure(&t);
    text_puts(&t, "@InitVar: x = ");
    for (unsigned k = 0; k < 9000; k++)
        text_puts(&t, "F(");
    for (unsigned k = 0; k < 9000; k++)
        text_puts(&t, ")");
    text_puts(&t, "; */");
    is_refused(&t, ANNOTATE_C, "more than 200 macros, one in an argument of the other");
}

static void functions_have_limits(void **state)
{
    (void)state;
    static const char interface[] = "/** @Interface: f\n@Ordering_Point_Set: A */\n";
    struct text t = {0};
    begin_structure(&t);
    text_printf(&t, "*/\n%sint f(int a", interface);
    for (unsigned k = 0; k < 60000; k++)
        text_printf(&t, ", int a%u", k);
    text_puts(&t, ") { return 0; }\n");
    is_refused(&t, ANNOTATE_C, "more than 128 parameters");

    begin_structure(&t);
    text_printf(&t,
                "*/\n%sint f(int a) {\n/* @Ordering_Point_Check: 1 @Label: A\n"
                "@Potential_Ordering_Point_Label: P */\n/* @Potential_Ordering_Point: 1 @Label: P */\n",
                interface);
    repeat(&t, "return a;", LARGE);
    text_puts(&t, "}\n");
    is_refused(&t, ANNOTATE_C, "a return behind column 4096");

    text_puts(&t, "/** @Interface: f\n@Ordering_Point_Set: L");
    for (unsigned k = 0; k < 100000; k++)
        text_printf(&t, " | L%u", k);
    text_puts(&t, " */\nint f(void) { return 0; }\n");
    is_refused(&t, ANNOTATE_C, "more than 4096 labels");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_comments),        cmocka_unit_test(long_comments_without_annotations),
        cmocka_unit_test(many_macros),          cmocka_unit_test(many_points),
        cmocka_unit_test(macros_are_redefined), cmocka_unit_test(limits_are_named),
        cmocka_unit_test(macros_have_limits),   cmocka_unit_test(functions_have_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
