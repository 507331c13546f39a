/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb auto`: generates tests of a harness, runs them all, and shrinks one that fails. */
#include "base/budget.h"
#include "cli/automatic.h"
#include "cli/check_run.h"
#include "cli/check_serials.h"
#include "cli/output.h"
#include "cli/spec_guard.h"
#include "target/code/assembly.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ------------------------------------------------------------------ the tests, one after the other */

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

static void note_unknown(struct automatic *a, const char *test, const struct auto_result *r)
{
    if (a->unknown++)
        return;
    a->unknown_test = strdup(test);
    a->unknown_why = strdup(r->why);
}

/* What is not asked about a test that passes, and what makes one wonder whether it could have failed. */
static void note_doubts(struct automatic *a, const char *test, const struct auto_result *r)
{
    a->could_meet += r->could_meet;
    a->met += r->met;
    if (r->serial_stuck && a->stuck++ == 0)
        a->stuck_test = strdup(test);
}

/* A larger test of which a part was run is as good as any sample; the small ones have to be run as a whole. */
static void note_larger(struct automatic *a, const struct auto_result *r)
{
    a->larger.tests++;
    a->larger.executions += r->executions;
    if (r->verdict != AUTO_PASSED && r->verdict != AUTO_FAILED && a->larger.partly++ == 0)
        a->larger.why = strdup(r->why);
}

static bool done_test(void *context, uint64_t number, const char *test, const struct auto_result *r)
{
    struct automatic *a = context;
    if (r->verdict == AUTO_SKIPPED) {
        free((char *)test);
        return true;
    }
    write_row(a, number, test, r);
    if (!a->is_larger)
        a->executions += r->executions;
    a->limits |= r->limits & (a->is_larger ? (uint32_t)LIMITS_NAMED_ONLY : UINT32_MAX);
    auto_compare_note(&a->compared, test, r);
    note_doubts(a, test, r);
    bool goes_on = true;
    if (a->is_larger)
        note_larger(a, r);
    if (a->is_larger && r->verdict != AUTO_FAILED && r->verdict != AUTO_BROKEN) {
        free((char *)test);
        return true;
    }
    switch (r->verdict) {
    case AUTO_PASSED: a->passed++; break;
    case AUTO_FAILED:
        a->failed++;
        if (!a->failing) {
            a->failing = strdup(test);
            a->failing_number = number;
        }
        goes_on = a->options.all;
        break;
    case AUTO_UNKNOWN: note_unknown(a, test, r); break;
    case AUTO_UNFIT:
        if (a->options.all && (a->passed || a->failed)) { /* not the fault of every test */
            note_unknown(a, test, r);
            break;
        }
        /* fall through */
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
    if (a->is_larger) {
        fprintf(stderr, "\r\033[K%" PRIu64 " tests up to %s, %" PRIu64 " larger ones", a->passed + a->unknown,
                a->options.size ? a->options.size : "2x2", a->larger.tests);
        return;
    }
    double done = (double)(a->passed + a->failed + a->unknown), all = a->total / (double)a->shards;
    fprintf(stderr, "\r\033[K%.0f of %.0f tests, %" PRIu64 " failed, about %.0f s left", done, all, a->failed,
            done > 0 ? seconds / done * (all - done) : 0);
}

static void hide_progress(const struct automatic *a)
{
    if (a->shown > 0)
        fputs("\r\033[K", stderr);
}

struct auto_runner auto_make_runner(const struct automatic *a)
{
    return (struct auto_runner){.name = a->files.data[0],
                                .program = a->program,
                                .golden = a->golden,
                                .options = &a->options.check,
                                .suppressions = a->suppressions,
                                .test_time = a->options.test_time,
                                .deadline =
                                    a->options.check.time > 0 ? a->started + a->options.check.time : 0};
}

/* ------------------------------------------------------------------ from options to the end */

static enum cli_exit build(struct automatic *a)
{
    struct diagnostic why = {0};
    struct check_golden golden = {a->options.check.golden, a->options.check.golden_define};
    a->program = target_build(&a->source, &why);
    if (!a->program)
        return check_cannot(&why);
    struct foreign foreign;
    a->assembly = assembly_find_unseen(a->program->path, &foreign);
    check_unseen_take_foreign(&a->scope.unseen, &foreign);
    check_unseen_set_record(&a->scope.unseen, &a->program->record);
    if (!golden.file && !golden.define)
        return EXIT_HOLDS;
    a->golden = check_golden_build(&golden, &a->source, &why);
    return a->golden ? EXIT_HOLDS : check_cannot(&why);
}

static bool wants_larger(const struct automatic *a)
{
    const struct auto_options *o = &a->options;
    bool asked = o->samples != AUTO_NO_SAMPLES;
    bool usual = !o->size && !o->check.quasi && !o->check.compare && !o->check.report_weak && a->shards == 1;
    return !o->random && (asked ? o->samples > 0 : usual) && a->passed && !a->timed_out && !a->failed &&
           a->broken.verdict != AUTO_BROKEN && a->broken.verdict != AUTO_UNFIT;
}

/* Each of them may have a part of the time, so that none takes the time of all others. By executions, as far as possible: the
 * answer should not depend on the machine. */
static void run_larger(struct automatic *a, struct auto_runner *runner)
{
    enum { EXECUTIONS = 20000 };
    static const double usual_seconds = 20, slice = 2;
    struct check_options options = a->options.check;
    if (!options.executions)
        options.executions = EXECUTIONS;
    runner->options = &options;
    if (!runner->test_time || runner->test_time > slice)
        runner->test_time = slice;
    if (!runner->deadline && a->options.samples == AUTO_NO_SAMPLES)
        runner->deadline = a->started + usual_seconds;
    a->is_larger = true;
    a->larger_from = a->number;
    auto_run(runner);
}

static enum cli_exit run_tests(struct automatic *a)
{
    struct auto_runner runner = auto_make_runner(a);
    runner.next = auto_next_test;
    runner.done = done_test;
    runner.tick = show_progress;
    runner.context = a;
    runner.scope = &a->scope;
    auto_begin_sequence(a);
    a->timed_out = !auto_run(&runner);
    if (wants_larger(a))
        run_larger(a, &runner);
    hide_progress(a);
    if (a->broken.verdict == AUTO_BROKEN) {
        output_error(PL_INTERNAL, "%s", a->broken.why);
        return EXIT_BUG;
    }
    if (a->broken.verdict == AUTO_UNFIT)
        return check_cannot(&a->broken.unfit);
    return a->failing ? auto_tell_failed(a) : auto_tell_passed(a);
}

static void release(struct automatic *a)
{
    target_program_free(a->program);
    target_program_free(a->golden);
    vec_free(&a->calls);
    vec_free(&a->files);
    free(a->call_text);
    free(a->assembly);
    free(a->failing);
    auto_compare_free(&a->compared);
    check_scope_free(&a->scope);
    suppress_free(a->suppressions);
    vec_free(&a->options.check.suppress);
    free(a->unknown_test);
    free(a->unknown_why);
    free(a->stuck_test);
    free(a->larger.why);
    if (a->table)
        fclose(a->table);
}

static enum cli_exit run_auto(void *context)
{
    struct automatic *a = context;
    guard_begin(a->files.data[0], a->options.check.time, 0, EXIT_HOLDS);
    enum cli_exit exit = auto_options_fit(a);
    if (exit == EXIT_HOLDS && !suppress_read(a->suppressions, &a->options.check.suppress))
        exit = EXIT_USAGE;
    if (exit == EXIT_HOLDS)
        exit = build(a);
    if (exit == EXIT_HOLDS && a->assembly) /* as in run_program of command_check.c */
        return auto_tell_passed(a);
    if (exit == EXIT_HOLDS)
        exit = auto_find_calls(a);
    if (exit == EXIT_HOLDS)
        exit = run_tests(a);
    return exit;
}

enum cli_exit cli_auto(int count, char *const *words)
{
    struct suppressions suppressions = {0};
    struct automatic a = {
        .options = {.check = check_options_default, .seed = CHECK_NO_SEED, .samples = AUTO_NO_SAMPLES},
        .suppressions = &suppressions,
        .started = base_now()};
    enum cli_exit exit;
    a.options.check.jobs = 0;
    if (!cli_parse(&cli_auto_text, check_own_words(count, words), words, &a.options, &a.files, &exit))
        return exit;
    a.source = check_source(&a.files, count, words);
    exit = spec_guard_run(&(struct spec_guarded){
        .spec = a.options.check.spec, .time = a.options.check.time, .run = run_auto, .context = &a});
    release(&a);
    return exit;
}
