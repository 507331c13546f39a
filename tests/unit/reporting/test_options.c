/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/options.h"
#include "base/terminal.h"
#include "base/vec.h"

struct settings {
    bool quick, verbose;
    const char *output;
    uint64_t number, bytes;
    double seconds;
    int choice;
};

#define FIELD(name) offsetof(struct settings, name)

static const struct option_entry entries[] = {
    {"quick", 'q', OPTION_FLAG, NULL, FIELD(quick), 0, 0, "Be quick."},
    {"verbose", 'v', OPTION_FLAG, NULL, FIELD(verbose), 0, 0, "Say more."},
    {"output", 'o', OPTION_TEXT, "FILE", FIELD(output), 0, 0, "Where to."},
    {"number", 0, OPTION_NUMBER, "N", FIELD(number), 1, 100, "How many."},
    {"size", 0, OPTION_BYTES, "N[K|M|G]", FIELD(bytes), 0, 0, "How much."},
    {"time", 0, OPTION_SECONDS, "S", FIELD(seconds), 0, 0, "How long."},
    {"color", 0, OPTION_CHOICE, "auto|always|never", FIELD(choice), 0, 0, "Which."},
};

static const struct option_section sections[] = {{"examples", "Two of them:\n  a -b\n\n.x \\ 'y'\n"}};

static const struct option_command command = {
    .name = "test",
    .summary = "Test things.",
    .operands = "FILE...",
    .operands_least = 1,
    .operands_most = 2,
    .options = entries,
    .option_count = sizeof entries / sizeof *entries,
    .sections = sections,
    .section_count = 1,
};

static struct settings parsed;
static struct operand_list operands;
static struct diagnostic problem;

/* Parses the words up to a null pointer. */
static enum options_outcome parse(const char *first, ...)
{
    char *words[16];
    int count = 0;
    va_list args;
    va_start(args, first);
    for (const char *w = first; w; w = va_arg(args, const char *))
        words[count++] = (char *)w;
    va_end(args);
    parsed = (struct settings){0};
    problem = (struct diagnostic){0};
    vec_free(&operands);
    return options_parse(&command, count, words, &parsed, &operands, &problem);
}

static void expect_wrong(const char *word, const char *message)
{
    assert_int_equal(parse(word, "file", NULL), OPTIONS_WRONG);
    assert_int_equal(problem.code, PL_USAGE);
    if (!strstr(problem.message, message))
        fail_msg("'%s' says: %s", word, problem.message);
    assert_non_null(strstr(problem.message, "(see 'plumb test --help')"));
}

static void every_form_of_an_option_is_read(void **state)
{
    (void)state;
    assert_int_equal(parse("a", "--output", "x", "-qv", "-", NULL), OPTIONS_RUN);
    assert_string_equal(parsed.output, "x");
    assert_true(parsed.quick && parsed.verbose);
    assert_int_equal(operands.len, 2);
    assert_string_equal(operands.data[1], "-");
    assert_int_equal(parse("--output=a=b", "f", NULL), OPTIONS_RUN);
    assert_string_equal(parsed.output, "a=b");
    assert_int_equal(parse("-ofile", "f", NULL), OPTIONS_RUN);
    assert_string_equal(parsed.output, "file");
    assert_int_equal(parse("-qo", "-", "f", NULL), OPTIONS_RUN);
    assert_string_equal(parsed.output, "-");
    assert_int_equal(parse("--", "-q", "--output", NULL), OPTIONS_RUN);
    assert_false(parsed.quick);
    assert_string_equal(operands.data[1], "--output");
    assert_int_equal(parse("--output=", "f", NULL), OPTIONS_RUN);
    assert_string_equal(parsed.output, "");
}

static void values_are_read(void **state)
{
    (void)state;
    assert_int_equal(parse("--number", "100", "--size", "3K", "--time=0.5", "--color", "never", "f", NULL),
                     OPTIONS_RUN);
    assert_int_equal(parsed.number, 100);
    assert_int_equal(parsed.bytes, 3072);
    assert_true(parsed.seconds == 0.5);
    assert_int_equal(parsed.choice, 2);
    assert_int_equal(parse("--size=17179869183G", "f", NULL), OPTIONS_RUN);
    assert_int_equal(parsed.bytes, UINT64_C(17179869183) << 30);
}

static void wrong_numbers_are_refused(void **state)
{
    (void)state;
    const char *const wrong[] = {"--number=",
                                 "--number=0",
                                 "--number=101",
                                 "--number=1x",
                                 "--number= 1",
                                 "--number=-1",
                                 "--number=+1",
                                 "--number=1.0",
                                 "--number=18446744073709551617",
                                 "--size=",
                                 "--size=K",
                                 "--size=1k",
                                 "--size=0",
                                 "--size=17179869184G",
                                 "--size=1KK",
                                 "--size=-1",
                                 "--size=123456789012345678901234567890",
                                 "--time=0",
                                 "--time=nan",
                                 "--time=inf",
                                 "--time=1e3",
                                 "--time=.",
                                 "--time=1.2.3",
                                 "--time=",
                                 "--color=",
                                 "--color=au",
                                 "--color=auto|always"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect_wrong(wrong[i], "takes");
}

static void mistakes_are_explained(void **state)
{
    (void)state;
    expect_wrong("--outptu", "unknown option '--outptu', did you mean '--output'?");
    expect_wrong("--hlep=3", "did you mean '--help'?");
    expect_wrong("--zebra", "unknown option '--zebra' (");
    expect_wrong("-x", "unknown option '-x'");
    expect_wrong("-qx", "unknown option '-x'");
    expect_wrong("--quick=1", "takes no value");
    assert_int_equal(parse("f", "--output", NULL), OPTIONS_WRONG);
    assert_non_null(strstr(problem.message, "--output needs a value: --output FILE"));
    assert_int_equal(parse("f", "--output", "--quick", NULL), OPTIONS_WRONG);
    assert_int_equal(parse("-q", NULL), OPTIONS_WRONG);
    assert_non_null(strstr(problem.message, "plumb test needs FILE..."));
    assert_int_equal(parse("a", "b", "c", NULL), OPTIONS_WRONG);
    assert_non_null(strstr(problem.message, "'c' is one word too many"));
}

static void help_wins_over_missing_operands(void **state)
{
    (void)state;
    assert_int_equal(parse("--help", NULL), OPTIONS_HELP);
    assert_int_equal(parse("-qh", NULL), OPTIONS_HELP);
}

static void help_lists_every_option_within_the_width(void **state)
{
    (void)state;
    struct text help = {0};
    options_help(&help, &command, 60);
    for (size_t i = 0; i < command.option_count; i++)
        assert_non_null(strstr(help.data, entries[i].name));
    for (const char *line = help.data; *line; line += strcspn(line, "\n") + 1)
        assert_true(strcspn(line, "\n") <= 60);
    text_free(&help);
}

static void manual_page_hides_what_roff_would_read(void **state)
{
    (void)state;
    struct text man = {0};
    options_man(&man, &command, "1.0");
    assert_non_null(strstr(man.data, ".TH PLUMB\\-TEST 1"));
    assert_non_null(strstr(man.data, ".B \\-o, \\-\\-output FILE\nWhere to.\n"));
    assert_non_null(strstr(man.data, ".nf\n  a \\-b\n.fi\n.PP\n\\&.x \\e 'y'\n"));
    text_free(&man);
}

static void names_cannot_steer_the_terminal(void **state)
{
    (void)state;
    struct text out = {0};
    terminal_add_safe(&out, "é\x1b[31m\n\xff\xc2\x9b→");
    assert_string_equal(out.data, "é\\x1b[31m\\x0a\\xff\\xc2\\x9b→");
    text_free(&out);
}

static int free_operands(void **state)
{
    (void)state;
    vec_free(&operands);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_of_an_option_is_read),
        cmocka_unit_test(values_are_read),
        cmocka_unit_test(wrong_numbers_are_refused),
        cmocka_unit_test(mistakes_are_explained),
        cmocka_unit_test(help_wins_over_missing_operands),
        cmocka_unit_test(help_lists_every_option_within_the_width),
        cmocka_unit_test(manual_page_hides_what_roff_would_read),
        cmocka_unit_test(names_cannot_steer_the_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, free_operands);
}
