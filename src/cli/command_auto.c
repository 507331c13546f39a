/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb auto`: generates tests of a harness, runs them all, and shrinks one that fails. */
#include "base/budget.h"
#include "base/json_writer.h"
#include "base/terminal.h"
#include "cli/auto_compare.h"
#include "cli/auto_reproduce.h"
#include "cli/auto_run.h"
#include "cli/auto_shrink.h"
#include "cli/auto_tests.h"
#include "cli/check.h"
#include "cli/check_compare.h"
#include "cli/check_report.h"
#include "cli/check_serials.h"
#include "cli/output.h"
#include "cli/shell_word.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct auto_options {
    struct check_options check;
    const char *size, *random, *calls, *table, *reproduce, *shard;
    uint64_t samples;
    double test_time;
    bool all;
};

#define FIELD(name) offsetof(struct auto_options, name)

static const struct option_entry auto_options_table[] = {
    {"size", 0, OPTION_TEXT, "RxC", FIELD(size), 0, 0,
     "Every test of at most R calls in each of at most C threads, small ones first (2x2)."},
    {"random", 0, OPTION_TEXT, "RxC", FIELD(random), 0, 0,
     "A random sample of the tests of exactly this size instead."},
    {"samples", 0, OPTION_NUMBER, "K", FIELD(samples), 1, UINT32_MAX, "How many of them (100)."},
    {"seed", 0, OPTION_NUMBER, "S", FIELD(check.seed), 0, UINT64_MAX,
     "Seed of the sample (1); the same seed, the same tests."},
    {"calls", 0, OPTION_TEXT, "LIST", FIELD(calls), 0, 0,
     "The calls, or sequences of calls, that tests are made of, divided by ';', instead of the harness' "
     "(PLUMB_TRY)."},
    {"init", 0, OPTION_TEXT, "OPS", FIELD(check.init), 0, 0,
     "Operations before the threads of each test start."},
    {"final", 0, OPTION_TEXT, "OPS", FIELD(check.final), 0, 0, "Operations after they have ended."},
    {"all", 0, OPTION_FLAG, NULL, FIELD(all), 0, 0, "Go on after a test that fails, and count."},
    {"shard", 0, OPTION_TEXT, "I/N", FIELD(shard), 0, 0,
     "Only every N-th test, beginning with number I: N machines share the work."},
    {"spec", 0, OPTION_TEXT, "NAME", FIELD(check.spec), 0, 0,
     "The specification, instead of the harness' own."},
    {"quasi", 0, OPTION_TEXT, "Q", FIELD(check.quasi), 0, 0,
     "Quasi linearizability, as for 'plumb check'. Tests that do not take away as often as they add are left "
     "out."},
    {"golden", 0, OPTION_TEXT, "FILE", FIELD(check.golden), 0, 0,
     "An implementation of the same operations that is right: what it answers, one operation after the "
     "other, "
     "is the specification."},
    {"golden-define", 0, OPTION_TEXT, "K=V", FIELD(check.golden_define), 0, 0,
     "The same, from FILES themselves, compiled with this macro."},
    {"memory", 0, OPTION_CHOICE, CHECK_MEMORY_MODELS, FIELD(check.memory), 0, 0, "The memory model (rc11)."},
    {"spurious", 0, OPTION_FLAG, NULL, FIELD(check.spurious), 0, 0, "As for 'plumb check'."},
    {"weak-cas", 0, OPTION_FLAG, NULL, FIELD(check.weak_cas), 0, 0, "As for 'plumb check'."},
    {"reuse", 0, OPTION_FLAG, NULL, FIELD(check.reuse), 0, 0, "As for 'plumb check'."},
    {"leaks", 0, OPTION_FLAG, NULL, FIELD(check.leaks), 0, 0, "As for 'plumb check'."},
    {"compare", 0, OPTION_FLAG, NULL, FIELD(check.compare), 0, 0, "As for 'plumb check'."},
    {"report-weak", 0, OPTION_FLAG, NULL, FIELD(check.report_weak), 0, 0, "As for 'plumb check'."},
    {"executions", 0, OPTION_NUMBER, "N", FIELD(check.executions), 1, UINT64_MAX / 2,
     "Stop a test after N executions; the answer is inconclusive then (no limit)."},
    {"jobs", 0, OPTION_NUMBER, "N", FIELD(check.jobs), 1, 64, "Tests at a time (as many as processors)."},
    {"time", 0, OPTION_SECONDS, "S", FIELD(check.time), 0, 0, "Stop after S seconds (no limit)."},
    {"test-time", 0, OPTION_SECONDS, "S", FIELD(test_time), 0, 0,
     "Give a test up after S seconds; the answer is inconclusive then (no limit)."},
    {"table", 0, OPTION_TEXT, "F", FIELD(table), 0, 0,
     "Write a line for each test to F: number, verdict, serial histories (complete, stuck) and seconds, "
     "executions, seconds in all, test; divided by tabs."},
    {"reproduce", 0, OPTION_TEXT, "F", FIELD(reproduce), 0, 0,
     "Where a failing test is written as one C file (the first file's name with .repro.c)."},
    {"trace", 0, OPTION_TEXT, "FILE", FIELD(check.trace), 0, 0,
     "Where a failing execution is saved for 'plumb replay' (the first file's name with .plr)."},
    {"json", 0, OPTION_TEXT, "F", FIELD(check.json), 0, 0,
     "Write the result as JSON to F. '-' is standard output, where nothing else is printed then."},
    {"color", 0, OPTION_CHOICE, "auto|always|never", FIELD(check.color), 0, 0, "Colour in reports."},
    {"quiet", 'q', OPTION_FLAG, NULL, FIELD(check.quiet), 0, 0, "Print the line with the verdict only."},
    {"verbose", 'v', OPTION_FLAG, NULL, FIELD(check.verbose), 0, 0, "Tell about each test."},
};

static const struct option_section auto_sections[] = {
    {"description",
     "Compiles FILES, a harness (plumb.h), and makes tests of the calls that it names with PLUMB_TRY, or one "
     "of each "
     "operation: matrices with a column for each thread. For an object without a specification each test is "
     "run "
     "serially first, in every order; what the operations answer then, and where they wait, is the "
     "specification. Then every execution of the memory model is run and judged, for every client.\n\n"
     "A test that fails is shrunk: calls, then threads are left out as long as it fails. The smallest one is "
     "told "
     "as 'plumb check' does, and written as one C file that needs nothing but plumb.h.\n"},
    {"output",
     "One line: 'holds' when all tests passed (of a random sample: 'survived'), 'violated' followed by "
     "the smallest failing test and its story, or 'inconclusive (why)'.\n"},
    {"exit status", "0 holds or survived; 1 violated; 2 wrong usage; 3 inconclusive; 4 the program does not "
                    "build or cannot be run; 70 a bug in plumb.\n"},
    {"examples", "  plumb auto stack.c\n"
                 "  plumb auto queue.c --random 3x3 --samples 100 --jobs 2\n"
                 "  plumb auto queue.c --calls 'enq(1); enq(2) enq(3); deq' --final 'deq deq'\n"},
};

const struct option_command cli_auto_text = {
    .name = "auto",
    .summary = "Generate tests of a harness and run them all.",
    .operands = "FILE... [-- CFLAGS...]",
    .operands_least = 1,
    .operands_most = SIZE_MAX,
    .options = auto_options_table,
    .option_count = sizeof auto_options_table / sizeof *auto_options_table,
    .sections = auto_sections,
    .section_count = sizeof auto_sections / sizeof *auto_sections,
};

struct automatic {
    struct auto_options options;
    struct operand_list files;
    struct target_source source;
    struct target_program *program, *golden;
    struct auto_size size;
    auto_calls calls;
    char *call_text; /* owns the calls */
    uint64_t shard, shards;

    struct auto_enumeration enumeration;
    uint64_t number; /* of the next test */
    uint64_t passed, failed, unknown, executions;
    double total; /* tests in all */
    uint32_t limits;
    struct auto_compared compared;
    char *failing; /* the first that failed */
    struct auto_test failing_test;
    uint64_t failing_number; /* as in --table */
    char *unknown_test, *unknown_why;
    struct auto_result broken; /* a result that is no verdict */
    FILE *table;
    double started, shown;
    bool timed_out;
};

/* ------------------------------------------------------------------ the tests, one after the other */

static bool make_test(struct automatic *a, struct auto_test *t)
{
    if (!a->options.random)
        return auto_next(&a->enumeration, t);
    if (a->number >= a->options.samples)
        return false;
    auto_sample(a->size, (uint32_t)a->calls.len, a->options.check.seed, a->number, t);
    return true;
}

static const char *next_test(void *context, uint64_t *number)
{
    struct automatic *a = context;
    struct auto_test t;
    while (make_test(a, &t)) {
        *number = a->number++;
        if (*number % a->shards != a->shard)
            continue;
        struct text text = {0};
        auto_print_test(&text, &t, &a->calls);
        return text_take(&text); /* freed when it is done */
    }
    return NULL;
}

static void write_row(struct automatic *a, uint64_t number, const char *test, const struct auto_result *r)
{
    static const char *const words[] = {"pass", "fail", "unknown", "skipped", "unfit", "broken"};
    if (a->table)
        fprintf(a->table, "%" PRIu64 "\t%s\t%" PRIu64 "\t%" PRIu64 "\t%.6f\t%" PRIu64 "\t%.6f\t%s\n",
                number + 1, words[r->verdict], r->serial_complete, r->serial_stuck, r->serial_seconds,
                r->executions, r->seconds, test);
    if (a->options.check.verbose)
        fprintf(stderr, "  %s: %s (%" PRIu64 " executions)%s%s\n", test, words[r->verdict], r->executions,
                *r->why ? ": " : "", r->why);
}

/* The test is made again: only its text was kept. */
static void note_failing(struct automatic *a, uint64_t number, const char *test)
{
    uint64_t next = a->number;
    struct auto_enumeration e = a->enumeration;
    a->enumeration = auto_enumerate(a->size, (uint32_t)a->calls.len);
    if (a->options.random) {
        a->number = number;
        make_test(a, &a->failing_test);
    } else {
        for (uint64_t k = 0; k <= number; k++)
            auto_next(&a->enumeration, &a->failing_test);
    }
    a->number = next;
    a->enumeration = e;
    a->failing = strdup(test);
    a->failing_number = number + 1;
}

static bool done_test(void *context, uint64_t number, const char *test, const struct auto_result *r)
{
    struct automatic *a = context;
    if (r->verdict == AUTO_SKIPPED) {
        free((char *)test);
        return true;
    }
    write_row(a, number, test, r);
    a->executions += r->executions;
    a->limits |= r->limits;
    auto_compare_note(&a->compared, test, r);
    bool goes_on = true;
    switch (r->verdict) {
    case AUTO_PASSED: a->passed++; break;
    case AUTO_FAILED:
        a->failed++;
        if (!a->failing)
            note_failing(a, number, test);
        goes_on = a->options.all;
        break;
    case AUTO_UNKNOWN:
        if (!a->unknown++) {
            a->unknown_test = strdup(test);
            a->unknown_why = strdup(r->why);
        }
        break;
    default: a->broken = *r; goes_on = false;
    }
    free((char *)test);
    return goes_on;
}

static void show_progress(void *context)
{
    struct automatic *a = context;
    double now = base_now(), seconds = now - a->started;
    if (!isatty(STDERR_FILENO) || a->options.check.quiet || seconds < 1 || now - a->shown < 0.5)
        return;
    a->shown = now;
    double done = (double)(a->passed + a->failed + a->unknown), all = a->total / (double)a->shards;
    fprintf(stderr, "\r\033[K%.0f of %.0f tests, %" PRIu64 " failed, about %.0f s left", done, all, a->failed,
            done > 0 ? seconds / done * (all - done) : 0);
}

static void hide_progress(const struct automatic *a)
{
    if (a->shown > 0)
        fputs("\r\033[K", stderr);
}

/* ------------------------------------------------------------------ preparing */

static enum cli_exit cannot(const struct diagnostic *why)
{
    output_diagnostic(NULL, why);
    return why->code == PL_BUILD || why->code == PL_CANNOT_RUN ? EXIT_CANNOT_RUN : EXIT_USAGE;
}

/* The first of these signs outside of texts, or the end. */
static char *find_sign(char *at, const char *signs)
{
    for (char quote = 0; *at && (quote || !strchr(signs, *at)); at++) {
        if (quote && *at == '\\' && at[1])
            at++;
        else if (quote ? *at == quote : *at == '"' || *at == '\'')
            quote = quote ? 0 : *at;
    }
    return at;
}

static void split_calls(struct automatic *a, const char *divider)
{
    for (char *word = a->call_text, *next; word; word = next) {
        char *end = find_sign(word, divider);
        next = *end ? end + 1 : NULL;
        *end = 0;
        while (*word == ' ')
            word++;
        size_t length = strlen(word);
        while (length && word[length - 1] == ' ')
            word[--length] = 0;
        if (length)
            vec_push(&a->calls, word);
    }
}

static enum cli_exit ask_calls(struct automatic *a)
{
    struct diagnostic why = {0};
    struct target_run run = check_plan(&a->options.check, 0);
    struct target_watch watch = {.stall_seconds = CHECK_STALL_SECONDS};
    run.config.list = 1;
    struct target_worker *worker = target_start(a->program, &run, &why);
    if (!worker)
        return cannot(&why);
    target_wait(&worker, 1, &watch);
    const struct target_end *end = target_end_of(worker);
    enum cli_exit exit = EXIT_HOLDS;
    if (end->outcome == TARGET_FINISHED)
        a->call_text = strdup(target_shared(worker)->operations);
    else
        exit = end->outcome == TARGET_BROKEN ? output_error(PL_INTERNAL, "%s", end->message)
                                             : output_error(PL_USAGE, "%s", end->message);
    target_free(worker);
    return exit;
}

static enum cli_exit find_calls(struct automatic *a)
{
    enum cli_exit exit = EXIT_HOLDS;
    if (a->options.calls)
        a->call_text = strdup(a->options.calls);
    else
        exit = ask_calls(a);
    if (exit != EXIT_HOLDS)
        return exit;
    split_calls(a, a->options.calls ? ";" : "\n");
    for (size_t i = 0; i < a->calls.len; i++)
        if (*find_sign((char *)a->calls.data[i], "|="))
            return output_error(PL_USAGE, "--calls has calls, not tests: no '|' and no '=>'");
    return a->calls.len ? EXIT_HOLDS : output_error(PL_USAGE, "there are no calls to make tests of");
}

static enum cli_exit build(struct automatic *a)
{
    struct diagnostic why = {0};
    struct check_golden golden = {a->options.check.golden, a->options.check.golden_define};
    a->program = target_build(&a->source, &why);
    if (!a->program)
        return cannot(&why);
    if (!golden.file && !golden.define)
        return EXIT_HOLDS;
    a->golden = check_golden_build(&golden, &a->source, &why);
    return a->golden ? EXIT_HOLDS : cannot(&why);
}

static enum cli_exit read_options(struct automatic *a)
{
    struct auto_options *o = &a->options;
    char end;
    o->check.mode = WORKER_GRAPH;
    if (!o->check.jobs)
        o->check.jobs =
            (uint64_t)sysconf(_SC_NPROCESSORS_ONLN) < 64 ? (uint64_t)sysconf(_SC_NPROCESSORS_ONLN) : 64;
    if (o->size && o->random)
        return output_error(PL_USAGE, "--size is for all tests, --random for a sample: use one");
    if (!auto_parse_size(o->random ? o->random : o->size ? o->size : "2x2", &a->size))
        return output_error(PL_USAGE,
                            "a size is two digits from 1 to 8, like 3x2: calls in a thread x threads");
    a->shards = 1;
    if (o->shard && (sscanf(o->shard, "%" SCNu64 "/%" SCNu64 "%c", &a->shard, &a->shards, &end) != 2 ||
                     a->shard < 1 || a->shard > a->shards))
        return output_error(PL_USAGE, "--shard is two numbers, like 1/4");
    if (o->shard)
        a->shard--;
    if (o->check.quasi &&
        (!*o->check.quasi || strlen(o->check.quasi) >= sizeof(((struct worker_config *)0)->quasi)))
        return output_error(PL_USAGE, "--quasi: the factor is %s", *o->check.quasi ? "too long" : "missing");
    if (o->check.golden && o->check.golden_define)
        return output_error(PL_USAGE, "--golden and --golden-define are two ways to name one thing: use one");
    if (o->check.spec && (o->check.golden || o->check.golden_define))
        return output_error(PL_USAGE, "--spec and --golden both name the specification: use one");
    if (o->table && !(a->table = fopen(o->table, "we")))
        return output_error(PL_CANNOT_OPEN, "cannot write '%s'", o->table);
    if (a->table)
        setvbuf(a->table, NULL, _IOLBF, 0); /* what is done is kept when somebody stops us */
    return EXIT_HOLDS;
}

/* ------------------------------------------------------------------ a test that failed */

static struct auto_runner make_runner(const struct automatic *a)
{
    return (struct auto_runner){.program = a->program,
                                .golden = a->golden,
                                .options = &a->options.check,
                                .test_time = a->options.test_time,
                                .deadline =
                                    a->options.check.time > 0 ? a->started + a->options.check.time : 0};
}

static char *shrink(struct automatic *a, unsigned *tried)
{
    struct auto_words words;
    struct check_options plain = a->options.check;
    plain.init = plain.final = NULL; /* they are part of the words */
    struct auto_runner runner = make_runner(a);
    runner.options = &plain;
    auto_words_of(&words, &a->failing_test, &a->calls, a->options.check.init, a->options.check.final);
    *tried = auto_shrink(&words, &runner);
    char *test = auto_words_text(&words);
    auto_words_free(&words);
    return test;
}

static char *file_name(const struct automatic *a, const char *wanted, const char *ending)
{
    struct text name = {0};
    const char *base = strrchr(a->files.data[0], '/');
    base = base ? base + 1 : a->files.data[0];
    if (wanted)
        text_puts(&name, wanted);
    else
        text_printf(&name, "%.*s%s", (int)strcspn(base, "."), base, ending);
    return text_take(&name);
}

static void add_check_options(struct text *t, const struct check_options *o, const char *test)
{
    if (o->memory > 0)
        text_printf(t, " --memory %s", check_memory_name(o));
    text_puts(t, o->spurious ? " --spurious" : "");
    text_puts(t, o->weak_cas ? " --weak-cas" : "");
    text_puts(t, o->reuse ? " --reuse" : "");
    text_puts(t, o->leaks ? " --leaks" : "");
    if (o->spec)
        text_printf(t, " --spec %s", o->spec);
    if (o->quasi)
        text_printf(t, " --quasi %s", o->quasi);
    if (o->golden)
        text_puts(t, " --golden"), shell_add_file(t, o->golden);
    if (o->golden_define)
        text_puts(t, " --golden-define"), shell_add_file(t, o->golden_define);
    if (o->golden || o->golden_define) /* it does not read the test in the file */
        text_puts(t, " --test"), shell_add_word(t, test);
}

/* Does the file alone fail, too? */
static bool reproduces(const struct automatic *a, const char *path)
{
    struct diagnostic why = {0};
    struct target_source source = {.files = &path, .file_count = 1, .cc = a->source.cc, .cxx = a->source.cxx};
    VEC(const char *) flags = {0};
    for (size_t i = 0; i < a->source.flag_count; i++)
        if (!auto_is_in_file(&a->source, i))
            vec_push(&flags, a->source.flags[i]);
    source.flags = flags.data;
    source.flag_count = flags.len;
    struct check_options plain = a->options.check;
    plain.init = plain.final = NULL;
    struct auto_runner runner = make_runner(a);
    runner.options = &plain;
    runner.deadline = 0;
    struct target_program *program = target_build(&source, &why);
    runner.program = program;
    bool fails = program && auto_run_one(&runner, "").verdict == AUTO_FAILED;
    target_program_free(program);
    vec_free(&flags);
    return fails;
}

/* The file's name, or null when none could be made that fails by itself. */
static char *write_reproduction(const struct automatic *a, const char *test)
{
    struct text options = {0};
    struct diagnostic why = {0};
    char *path = file_name(a, a->options.reproduce, ".repro.c");
    text_puts(&options, "");
    add_check_options(&options, &a->options.check, test);
    struct auto_reproduction r = {.source = &a->source,
                                  .test = test,
                                  .summary = "A test that fails, found by plumb auto.",
                                  .options = options.data};
    bool fine = auto_reproduce(path, &r, &why);
    if (!fine)
        output_diagnostic(NULL, &why);
    else if (!a->golden && !reproduces(a, path)) { /* a golden implementation is not in the file */
        unlink(path);
        fine = false;
    }
    text_free(&options);
    if (fine)
        return path;
    free(path);
    return NULL;
}

static enum cli_exit tell_failing(struct automatic *a, const char *test, unsigned tried)
{
    struct check c = {.options = a->options.check, .source = a->source};
    struct text t = {0};
    c.options.test = test;
    c.options.init = c.options.final = NULL;
    c.options.compare = c.options.report_weak = false; /* told about all tests together */
    c.options.jobs = 1;
    c.options.time = 0;
    c.options.json = a->options.check.json;
    c.style = (struct report_style){
        .columns = terminal_columns(STDOUT_FILENO),
        .color = terminal_use_color((enum terminal_color)a->options.check.color, STDOUT_FILENO),
        .unicode = terminal_unicode(),
    };
    for (size_t i = 0; i < a->files.len; i++)
        vec_push(&c.files, a->files.data[i]);
    enum cli_exit exit = check_program(&c);
    bool printed = !a->options.check.quiet && !(a->options.check.json && !strcmp(a->options.check.json, "-"));
    bool wanted = exit == EXIT_VIOLATED && (printed || a->options.reproduce);
    char *repro = wanted ? write_reproduction(a, test) : NULL;
    if (exit == EXIT_VIOLATED && printed) {
        text_puts(&t, "  failing test: ");
        terminal_add_safe(&t, test);
        text_printf(&t, "\n  found as test %" PRIu64 ": %s; %u smaller one%s tried\n", a->failing_number,
                    a->failing, tried, tried == 1 ? "" : "s");
        if (repro) {
            text_puts(&t, "  reproduce: plumb check");
            shell_add_file(&t, repro);
            add_check_options(&t, &a->options.check, test);
            text_puts(&t, "\n");
        } else {
            text_puts(&t, "  (the files do not make one C file that fails by itself)\n");
        }
        output_text(stdout, &t);
    }
    free(repro);
    text_free(&t);
    check_free(&c);
    return exit;
}

/* ------------------------------------------------------------------ the end */

static void add_counts(struct text *t, const struct automatic *a)
{
    uint64_t tests = a->passed + a->failed + a->unknown;
    text_printf(t, "%" PRIu64 " test%s%s%s, %" PRIu64 " executions", tests, tests == 1 ? "" : "s",
                a->options.random ? " of " : " up to ",
                a->options.random ? a->options.random
                : a->options.size ? a->options.size
                                  : "2x2",
                a->executions);
    if (a->failed)
        text_printf(t, ", %" PRIu64 " failed", a->failed);
}

static void add_reasons(struct text *t, const struct automatic *a)
{
    uint32_t named = a->limits & LIMITS_NAMED_ONLY;
    if (a->timed_out)
        text_puts(t, "; time limit met before all tests were run");
    if (!a->passed && !a->failed && !a->unknown)
        text_puts(t, "; no test was run");
    if (a->unknown)
        text_printf(t, "; %" PRIu64 " inconclusive, first '%s': %s", a->unknown, a->unknown_test,
                    a->unknown_why);
    for (const char *text; (text = check_next_limit(&named));)
        text_printf(t, "; %s", text);
}

static void write_json(const struct automatic *a, const char *verdict)
{
    FILE *file = output_open(a->options.check.json);
    if (!file)
        return;
    struct text t = {0}, reasons = {0};
    struct json_writer writer = {.out = &t}, *w = &writer;
    add_reasons(&reasons, a);
    json_open_object(w);
    json_key(w, "schema"), json_uint(w, 1);
    json_member(w, "tool", "plumb 0.1");
    json_member(w, "command", "auto");
    json_member(w, "verdict", verdict);
    json_key(w, "limits"), json_open_array(w);
    if (reasons.len)
        json_string(w, reasons.data + 2);
    json_close_array(w);
    json_key(w, "tests"), json_uint(w, a->passed + a->failed + a->unknown);
    json_key(w, "passed"), json_uint(w, a->passed);
    json_key(w, "failed"), json_uint(w, a->failed);
    json_key(w, "executions"), json_uint(w, a->executions);
    if (a->options.check.compare)
        check_compare_conflicts_json(w, &a->compared.sum, a->compared.races);
    if (a->options.check.report_weak)
        check_compare_weak_json(w, &a->compared.sum);
    json_key(w, "stats"), json_open_object(w);
    json_key(w, "seconds");
    text_printf(&t, "%.3f", base_now() - a->started);
    writer.comma = true;
    json_close_object(w);
    json_close_object(w);
    text_puts(&t, "\n");
    output_text(file, &t);
    text_free(&t);
    text_free(&reasons);
    output_close(file, a->options.check.json);
}

static void print_compared(const struct automatic *a)
{
    const struct check_options *o = &a->options.check;
    struct text t = {0};
    auto_compare_add_text(&t, &a->compared, o);
    if (!o->quiet && (!o->json || strcmp(o->json, "-") != 0))
        output_text(stdout, &t);
    text_free(&t);
}

/* No test failed. */
static enum cli_exit tell_passed(const struct automatic *a)
{
    bool cut = a->timed_out || a->unknown || (!a->passed && a->shards == 1);
    const char *verdict = cut ? "inconclusive" : a->options.random || a->shards > 1 ? "survived" : "holds";
    struct text t = {0};
    terminal_add_safe(&t, a->files.data[0]);
    text_printf(&t, ": %s (", verdict);
    add_counts(&t, a);
    add_reasons(&t, a);
    text_puts(&t, ")\n");
    if (!a->options.check.json || strcmp(a->options.check.json, "-") != 0)
        output_text(stdout, &t);
    text_free(&t);
    print_compared(a);
    if (a->options.check.json)
        write_json(a, verdict);
    return cut ? EXIT_INCONCLUSIVE : EXIT_HOLDS;
}

static enum cli_exit tell_failed(struct automatic *a)
{
    unsigned tried = 0;
    if (a->options.all && !a->options.check.quiet) {
        struct text t = {0};
        text_puts(&t, "  ");
        add_counts(&t, a);
        add_reasons(&t, a);
        fprintf(stderr, "%s\n", t.data);
        text_free(&t);
    }
    char *test = shrink(a, &tried);
    enum cli_exit exit = tell_failing(a, test, tried);
    free(test);
    print_compared(a);
    return exit;
}

static enum cli_exit run_tests(struct automatic *a)
{
    struct auto_runner runner = make_runner(a);
    runner.next = next_test;
    runner.done = done_test;
    runner.tick = show_progress;
    runner.context = a;
    a->enumeration = auto_enumerate(a->size, (uint32_t)a->calls.len);
    a->total = a->options.random ? (double)a->options.samples : auto_count(a->size, (uint32_t)a->calls.len);
    a->timed_out = !auto_run(&runner);
    hide_progress(a);
    if (a->broken.verdict == AUTO_BROKEN) {
        output_error(PL_INTERNAL, "%s", a->broken.why);
        return EXIT_BUG;
    }
    if (a->broken.verdict == AUTO_UNFIT)
        return output_error(PL_USAGE, "%s", a->broken.why);
    return a->failing ? tell_failed(a) : tell_passed(a);
}

static void release(struct automatic *a)
{
    target_program_free(a->program);
    target_program_free(a->golden);
    vec_free(&a->calls);
    vec_free(&a->files);
    free(a->call_text);
    free(a->failing);
    auto_compare_free(&a->compared);
    free(a->unknown_test);
    free(a->unknown_why);
    if (a->table)
        fclose(a->table);
}

enum cli_exit cli_auto(int count, char *const *words)
{
    struct automatic a = {.options = {.check = check_options_default, .samples = 100}, .started = base_now()};
    enum cli_exit exit;
    int separator = 0;
    while (separator < count && strcmp(words[separator], "--") != 0)
        separator++;
    a.options.check.jobs = 0;
    if (!cli_parse(&cli_auto_text, separator, words, &a.options, &a.files, &exit))
        return exit;
    a.source = (struct target_source){.files = a.files.data, .file_count = a.files.len};
    if (separator < count) {
        a.source.flags = (const char *const *)words + separator + 1;
        a.source.flag_count = (size_t)(count - separator - 1);
    }
    exit = read_options(&a);
    if (exit == EXIT_HOLDS)
        exit = build(&a);
    if (exit == EXIT_HOLDS)
        exit = find_calls(&a);
    if (exit == EXIT_HOLDS)
        exit = run_tests(&a);
    release(&a);
    return exit;
}
