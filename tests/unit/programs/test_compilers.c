/* SPDX-License-Identifier: Apache-2.0 */
/* Which compilers are used: what options, the environment and names say. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "target/compilers.h"

#include <stdlib.h>
#include <unistd.h>

static void set_environment(const char *cc, const char *cxx)
{
    cc ? setenv("PLUMB_CC", cc, 1) : unsetenv("PLUMB_CC");
    cxx ? setenv("PLUMB_CXX", cxx, 1) : unsetenv("PLUMB_CXX");
}

static void expect(const char *cc, const char *cxx)
{
    assert_string_equal(compiler_name(false), cc);
    assert_string_equal(compiler_name(true), cxx);
}

static void expect_options(const char *expected)
{
    struct text t = {0};
    compilers_add_options(&t);
    assert_string_equal(t.data ? t.data : "", expected);
    text_free(&t);
}

/* Nothing is installed where these tests look, so that cc is what is used without a choice. */
static int setup(void **state)
{
    (void)state;
    return setenv("PATH", "/nowhere", 1);
}

static void test_nothing_said(void **state)
{
    (void)state;
    set_environment(NULL, NULL);
    compilers_choose(NULL, NULL);
    expect("cc", "c++");
    expect_options("");
    set_environment("", "");
    expect("cc", "c++");
}

static void test_other_language_follows(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"gcc", "g++"},
        {"clang", "clang++"},
        {"clang-19", "clang++-19"},
        {"cc", "c++"},
        {"ccache gcc", "ccache g++"},
        {"ccache clang -O2", "ccache clang++ -O2"},
        {"/opt/gcc-13/bin/gcc-13", "/opt/gcc-13/bin/g++-13"},
        {"x86_64-linux-gnu-gcc-12", "x86_64-linux-gnu-g++-12"},
    };
    set_environment(NULL, NULL);
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        compilers_choose(pairs[k][0], NULL);
        expect(pairs[k][0], pairs[k][1]);
        compilers_choose(NULL, pairs[k][1]);
        expect(pairs[k][0], pairs[k][1]);
        compilers_choose(NULL, NULL);
        set_environment(pairs[k][0], NULL);
        expect(pairs[k][0], pairs[k][1]);
        set_environment(NULL, NULL);
    }
    compilers_choose("tcc", NULL); /* names that say nothing */
    expect("tcc", "c++");
    compilers_choose("./mycc", NULL);
    expect("./mycc", "c++");
}

/* --cc before PLUMB_CC, also for the language that it does not name; a variable before a name that follows from the other. */
static void test_who_decides(void **state)
{
    (void)state;
    set_environment("gcc", "clang++");
    compilers_choose(NULL, NULL);
    expect("gcc", "clang++");
    compilers_choose("gcc-12", NULL);
    expect("gcc-12", "g++-12");
    compilers_choose("tcc", NULL);
    expect("tcc", "clang++");
    compilers_choose("gcc", "clang++-19");
    expect("gcc", "clang++-19");
}

/* Reproducing commands have what is not usual, as short as it can be said. */
static void test_options(void **state)
{
    (void)state;
    set_environment(NULL, NULL);
    compilers_choose("gcc", NULL);
    expect_options(" --cc gcc");
    compilers_choose(NULL, "g++");
    expect_options(" --cc gcc");
    compilers_choose("gcc", "clang++");
    expect_options(" --cc gcc --cxx clang++");
    compilers_choose("gcc", "c++");
    expect_options(" --cc gcc --cxx c++");
    compilers_choose("cc", "g++");
    expect_options(" --cxx g++");
    compilers_choose(NULL, NULL);
    set_environment("ccache gcc", NULL);
    expect_options(" --cc 'ccache gcc'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_said),
        cmocka_unit_test(test_other_language_follows),
        cmocka_unit_test(test_who_decides),
        cmocka_unit_test(test_options),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
