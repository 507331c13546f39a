/* SPDX-License-Identifier: Apache-2.0 */
/* The table of library functions, as data: the files of the runtime that read it are part of this test. */
#include "rt/library/library_parse.c"
#include "rt/library/library.h"
#include "rt/library/library_table.c"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void nothing(const struct library_call *c, bool after)
{
    (void)c;
    (void)after;
}

library_special *library_find_special(const char *name)
{
    static const char *const names[] = {
#define X(special) #special,
        LIBRARY_SPECIALS(X)
#undef X
    };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(names[k], name) == 0)
            return nothing;
    return NULL;
}

void library_use(const struct library_call *c, uint32_t object, bool writes)
{
    (void)c;
    (void)object;
    (void)writes;
}

static void every_line_says_something(void **state)
{
    struct library_row row;
    (void)state;
    assert_true(library_line_count > 1500);
    for (size_t k = 0; k < library_line_count; k++)
        if (!library_parse(library_lines[k].items, &row))
            fail_msg("%s: %s", library_lines[k].name, library_lines[k].items);
}

static void names_are_found_once(void **state)
{
    (void)state;
    for (size_t k = 0; k < library_line_count; k++)
        if (library_find(library_lines[k].name) != &library_lines[k])
            fail_msg("%s has two lines", library_lines[k].name);
    assert_null(library_find("deflate"));
    assert_non_null(library_find("__cxa_throw"));
}

/* The x87 stack is not kept after a call. */
static void long_doubles_are_never_late(void **state)
{
    static const char *const names[] = {"strtold", "strtold_l", "frexpl",    "modfl",
                                        "remquol", "nanl",      "lgammal_r", "wcstold"};
    struct library_row row;
    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        assert_true(library_parse(library_find(names[k])->items, &row));
        assert_false(row.late);
    }
}

static void items_mean_what_they_say(void **state)
{
    struct library_row row;
    (void)state;
    assert_true(library_parse("r2:s<3 w1:@2*R*4?0 o=f()+g() c.2", &row));
    assert_int_equal(row.count, 4);
    assert_int_equal(row.items[0].what, LIBRARY_READ);
    assert_int_equal(row.items[0].most, 3);
    assert_false(row.items[0].late);
    assert_int_equal(row.items[1].what, LIBRARY_WRITE);
    assert_int_equal(row.items[1].factors[0], 2);
    assert_int_equal(row.items[1].constant, 4);
    assert_int_equal(row.items[1].condition, WHEN_ZERO);
    assert_true(row.items[1].by_result && row.items[1].late);
    assert_string_equal(library_object_name(row.items[2].object), "f() and g()");
    assert_true(row.late);
    assert_true(row.stack_words > 8);
}

static void nonsense_is_refused(void **state)
{
    static const char *const wrong[] = {"r",  "rx:s",   "r1",       "r1:{nothing}", "w1:@",
                                        "z1", "r1:s?x", "xnothing", "r1:sx"};
    struct library_row row;
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        assert_false(library_parse(wrong[k], &row));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_says_something),   cmocka_unit_test(names_are_found_once),
        cmocka_unit_test(long_doubles_are_never_late), cmocka_unit_test(items_mean_what_they_say),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
