/* SPDX-License-Identifier: Apache-2.0 */
/* What records of compilations say about a verdict. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "target/compiled.h"

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

static void what_compilers_never_announce(void **state)
{
    (void)state;
    struct compiled c = {0};
    compiled_add_record(&c, "GNU C17 12.2.0 -O3");
    assert_null(compiled_unannounced(&c));
    compiled_add_record(&c, CLANG_DEFAULT);
    assert_non_null(strstr(compiled_unannounced(&c), "clang"));
    compiled_add_record(&c, GCC_DEFAULT);
    assert_non_null(strstr(compiled_unannounced(&c), "gcc"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_access_happens_by_default),
        cmocka_unit_test(levels_are_named_once),
        cmocka_unit_test(the_last_level_counts),
        cmocka_unit_test(files_without_instrumentation_do_not_count),
        cmocka_unit_test(what_compilers_never_announce),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
