/* SPDX-License-Identifier: Apache-2.0 */
/* What records of compilations say about a verdict. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "target/code/compiled.h"

#include <stdlib.h>
#include <string.h>

/* The description of up to three records; null: every access happens. */
static void expect(const char *wanted, const char *a, const char *b, const char *c)
{
    const char *records[] = {a, b, c};
    struct compiled compiled = {0};
    for (size_t k = 0; k < sizeof records / sizeof *records; k++)
        if (records[k])
            compiled_add_record(&compiled, records[k]);
    char *text = compiled_describe(&compiled);
    if (wanted)
        assert_string_equal(text ? text : "(every access)", wanted);
    else
        assert_null(text);
    free(text);
}

#define GCC "GNU C17 12.2.0 -g -fsanitize=thread "
#define CLANG "/usr/bin/clang -D NAME -fsanitize=thread "
#define GCC_DEFAULT GCC "-O1 -fno-tree-dce"
#define CLANG_DEFAULT CLANG "-O0 -Xclang -disable-O0-optnone"

static void every_access_happens_by_default(void **state)
{
    (void)state;
    expect(NULL, GCC_DEFAULT, NULL, NULL);
    expect(NULL, CLANG_DEFAULT, GCC_DEFAULT, CLANG_DEFAULT);
}

static void levels_are_named_once(void **state)
{
    (void)state;
    expect("as compiled with -O2", GCC "-O2", NULL, NULL);
    expect("as compiled with -O2", GCC "-O2", CLANG "-O2 -DX", NULL);
    expect("as compiled with -O2 and -Ofast", GCC "-O2", CLANG "-Ofast", GCC "-O2 -g");
    expect("as compiled with -O", GCC "-O", NULL, NULL);
    expect("as compiled with -O3 in some files", GCC_DEFAULT, GCC "-O3", NULL);
}

static void link_time_optimisation_is_named_where_the_user_optimises(void **state)
{
    (void)state;
    expect("as compiled with -O2, without -flto", GCC "-O2 -fno-lto", NULL, NULL);
    expect("as compiled with -O2, without -flto in some files", GCC_DEFAULT, CLANG "-O2 -fno-lto", NULL);
    expect(NULL, GCC_DEFAULT " -fno-lto", NULL, NULL);
}

static void the_last_level_counts(void **state)
{
    (void)state;
    expect("as compiled with -Os", GCC "-O2 -Os", NULL, NULL);
    expect("as compiled with -O0", CLANG "-ObjC -Oversized", NULL, NULL);
    expect("as compiled with -O0", "-fsanitize=thread,bounds", NULL, NULL);
}

static void files_without_instrumentation_do_not_count(void **state)
{
    (void)state;
    expect(NULL, GCC_DEFAULT, "GNU C17 12.2.0 -O3", NULL);
    expect("as compiled, with options that are not recorded", "GNU C17 12.2.0 -O3", NULL, NULL);
    expect("as compiled, with options that are not recorded", NULL, NULL, NULL);
    expect("as compiled, with options that are not recorded", " ", "", NULL);
}

static void rustc_is_named(void **state)
{
    (void)state;
    expect("as compiled by rustc in some files", GCC_DEFAULT, "rustc version 1.95.0 (59807616e 2026-04-14)",
           NULL);
    expect("as compiled by rustc", "rustc version 1.95.0", "GCC: (Debian 12.2.0) 12.2.0", NULL);
    expect("as compiled with -O2 in some files or by rustc", GCC_DEFAULT, "rustc version 1.95.0", GCC "-O2");
}

static void expect_unshown(const struct compiled *c, bool is_proved, const char *expected)
{
    char *unshown = compiled_unshown(c, is_proved);
    if (expected)
        assert_string_equal(unshown, expected);
    else
        assert_null(unshown);
    free(unshown);
}

static void what_hooks_of_compilers_do_not_show(void **state)
{
    (void)state;
    struct compiled c = {0};
    compiled_add_record(&c, "GNU C17 12.2.0 -O3");
    expect_unshown(&c, false, NULL);
    assert_null(compiled_memory(&c));
    compiled_add_record(&c, GCC_DEFAULT);
    expect_unshown(
        &c, false,
        "with gcc: folded expressions, structures by value or overlapping, intrinsics, uninitialised "
        "memory, bounds and lifetimes of variables");
    expect_unshown(&c, true, "with gcc: structures by value, intrinsics, bit-fields, built-in functions");
    compiled_add_record(&c, CLANG_DEFAULT " -fsanitize-address-use-after-scope");
    expect_unshown(&c, true,
                   "with gcc in some files: structures by value, intrinsics, bit-fields, built-in functions");
    assert_non_null(strstr(compiled_memory(&c), "thread-local"));
    c = (struct compiled){0};
    compiled_add_record(&c, CLANG_DEFAULT " -fsanitize-address-use-after-scope");
    expect_unshown(&c, false, NULL);
    c.has_others = true; /* by objects that record nothing */
    expect_unshown(&c, true,
                   "with an unknown compiler in some files: structures by value, accesses of unusual sizes, "
                   "intrinsics, bit-fields, built-in functions");
    c = (struct compiled){0};
    compiled_add_record(&c, "rustc version 1.95.0");
    compiled_add_record(&c, "GNU C++17 12.2.0 -fsanitize=thread");
    char *both = compiled_unshown(&c, false);
    assert_non_null(strstr(both, "with gcc in some files: folded expressions, "));
    assert_non_null(strstr(both, "pointers to members"));
    assert_non_null(
        strstr(both, "; with rustc in some files: structures by value or overlapping, accesses of "));
    free(both);
}

static void what_is_not_announced_is_listed(void **state)
{
    (void)state;
    struct compiled c = {0};
    compiled_add_record(&c, GCC_DEFAULT);
    compiled_add_record(&c, "plumb-unannounced streamed b.c:7");
    compiled_add_record(&c, "plumb-unannounced streamed a b:c.c:30");
    compiled_add_record(&c, "plumb-unannounced assembly b.c:7");
    compiled_add_record(&c, "plumb-unannounced streamed b.c:7");
    compiled_add_record(&c, "plumb-unannounced streamed a b:c.c:4");
    assert_int_equal(c.places.len, 4);
    assert_string_equal(c.places.data[0].kind, "inline assembly that could not be marked");
    assert_string_equal(c.places.data[1].kind, "the order of non-temporal stores");
    assert_string_equal(c.places.data[1].file, "a b:c.c");
    assert_int_equal(c.places.data[1].line, 4);
    assert_int_equal(c.places.data[2].line, 30);
    assert_int_equal(c.places.data[3].line, 7);
    compiled_free(&c);
}

static void lists_that_are_damaged(void **state)
{
    (void)state;
    struct compiled c = {0};
    compiled_add_record(&c, "plumb-unannounced streamed ");
    compiled_add_record(&c, "plumb-unannounced operand :");
    compiled_add_record(&c, "plumb-unannounced assembly x");
    assert_int_equal(c.places.len, 3);
    compiled_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_access_happens_by_default),
        cmocka_unit_test(levels_are_named_once),
        cmocka_unit_test(link_time_optimisation_is_named_where_the_user_optimises),
        cmocka_unit_test(the_last_level_counts),
        cmocka_unit_test(files_without_instrumentation_do_not_count),
        cmocka_unit_test(rustc_is_named),
        cmocka_unit_test(what_hooks_of_compilers_do_not_show),
        cmocka_unit_test(what_is_not_announced_is_listed),
        cmocka_unit_test(lists_that_are_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
