/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of --suppress: what is read, what is refused and where, which names fall under which. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "campaign/suppress.h"

static void rules_are_read(void **state)
{
    (void)state;
    struct suppressions s = {0};
    struct diagnostic why = {0};
    assert_true(suppress_parse(
        &s, "r", "# none\n\n  race:variable a.b*  # why\nrace:function f\r\nrace:file a b.c", &why));
    assert_int_equal(s.rules.len, 3);
    assert_int_equal(s.rules.data[0].kind, SUPPRESS_VARIABLE);
    assert_string_equal(s.rules.data[0].name, "a.b*");
    assert_int_equal(s.rules.data[0].line, 3);
    assert_int_equal(s.rules.data[1].kind, SUPPRESS_FUNCTION);
    assert_string_equal(s.rules.data[1].name, "f");
    assert_int_equal(s.rules.data[2].kind, SUPPRESS_FILE);
    assert_string_equal(s.rules.data[2].name, "a b.c");
    suppress_free(&s);
}

static void wrong_rules_have_a_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t line, column;
    } wrong[] = {{"race:variable a\nrace x", 2, 1}, {"  race:", 1, 3},    {"race:variable  # a", 1, 14},
                 {"race:function a b", 1, 16},      {"variable a", 1, 1}, {"race:variables a", 1, 1}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct suppressions s = {0};
        struct diagnostic why = {0};
        assert_false(suppress_parse(&s, "r", wrong[k].text, &why));
        assert_int_equal(why.code, PL_SUPPRESSION);
        assert_int_equal(why.line, wrong[k].line);
        assert_int_equal(why.column, wrong[k].column);
        assert_string_equal(why.file, "r");
        suppress_free(&s);
    }
}

static void variables_include_their_parts(void **state)
{
    (void)state;
    assert_true(suppress_matches_variable("hits", "hits"));
    assert_true(suppress_matches_variable("hits[3]", "hits"));
    assert_true(suppress_matches_variable("cache.slots[3].stamp", "cache.slots"));
    assert_true(suppress_matches_variable("cache.slots[3].stamp", "cache"));
    assert_true(suppress_matches_variable("cache.slots[3].stamp", "*.stamp"));
    assert_true(suppress_matches_variable("node#12.next", "node.next"));
    assert_true(suppress_matches_variable("node#2", "node"));
    assert_true(suppress_matches_variable("heap#1+8", "heap"));
    assert_false(suppress_matches_variable("hits2", "hits"));
    assert_false(suppress_matches_variable("hits", "hit"));
    assert_false(suppress_matches_variable("node#1.value", "node.next"));
    assert_false(suppress_matches_variable("0x7f001234", "*"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_are_read),
        cmocka_unit_test(wrong_rules_have_a_place),
        cmocka_unit_test(variables_include_their_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
