/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb check`: runs the executions of a program, or of a test of a harness, all or a sample. */
#include "base/budget.h"
#include "cli/check.h"
#include "cli/check_documents.h"
#include "cli/check_errors.h"
#include "cli/check_interleave.h"
#include "cli/check_litmus.h"
#include "cli/check_observed.h"
#include "cli/check_progress.h"
#include "cli/check_serials.h"
#include "cli/output.h"
#include "cli/spec_guard.h"
#include "target/code/assembly.h"

#include <stdlib.h>
#include <string.h>

/* What is asked for needs a test: the one that was named, or the harness' own. */
static enum cli_exit find_test(struct check *c)
{
    static char test[PROTOCOL_TEST];
    struct check_options *o = &c->options;
    if (o->test || !(o->golden || o->golden_define || o->observations))
        return EXIT_HOLDS;
    enum cli_exit exit = check_own_test(c->program, o, c->files.data[0], test);
    if (exit == EXIT_HOLDS && !*test)
        return output_error(PL_USAGE,
                            "--golden, --golden-define and --observations are about a test: name one "
                            "with --test, or with PLUMB_TEST in the harness");
    o->test = test;
    return exit;
}

static enum cli_exit ask_golden(struct check *c)
{
    static char serials[PROTOCOL_PATH];
    struct check_golden golden = {c->options.golden, c->options.golden_define};
    struct diagnostic why = {0};
    if (!golden.file && !golden.define)
        return EXIT_HOLDS;
    struct target_run run = check_plan(&c->options, 0);
    if (!check_serials_of_golden(&golden, &c->source, &run.config, &why))
        return check_cannot(&why);
    memcpy(serials, run.config.serials_in, sizeof serials);
    c->options.serials_in = serials;
    c->options.observations = NULL; /* written */
    return EXIT_HOLDS;
}

/* Runs it, if that can be done, and confirms what was found. Not EXIT_HOLDS: after a diagnostic. */
static enum cli_exit run_program(struct check *c, double start)
{
    struct foreign foreign;
    c->assembly = assembly_find_unseen(c->program->path, &foreign);
    check_unseen_take_foreign(&c->scope.unseen, &foreign);
    check_unseen_set_record(&c->scope.unseen, &c->program->record);
    if (c->assembly) /* its steps would be invisible: whatever came out, it would not be the program's doing */
        return EXIT_HOLDS;
    enum cli_exit exit = find_test(c);
    if (exit == EXIT_HOLDS)
        exit = ask_golden(c);
    if (exit == EXIT_HOLDS)
        check_progress_estimate(c->program, &c->options);
    if (exit == EXIT_HOLDS)
        exit = check_run(c->program, &c->options, c->workers, &c->result);
    if (exit == EXIT_HOLDS)
        exit = check_interleave_if_needed(c->program, &c->options, start, c->workers, &c->result,
                                          &c->interleaved);
    if (exit == EXIT_HOLDS)
        check_errors_collect(c, start);
    if (exit == EXIT_HOLDS && c->options.count_histories && !c->result.failed)
        check_count_run(c->program, &c->options, start, &c->count);
    return exit;
}

static bool write_violations(const struct check *c)
{
    bool fine = true;
    for (size_t k = 0; c->observations && k < check_count_confirmed(c); k++)
        fine &= check_observed_write(c->observations, target_shared(c->errors.data[k].confirmation.again));
    return fine;
}

static void find_scope(struct check *c)
{
    struct scope_facts facts = {.options = &c->options,
                                .source = &c->source,
                                .program = c->program,
                                .limits = c->result.limits,
                                .interleaved = c->interleaved};
    if (!check_scope_belongs(c->verdict))
        return;
    for (uint64_t k = 0; k < c->options.jobs; k++)
        if (c->workers[k])
            check_scope_add_worker(&c->scope, target_shared(c->workers[k]));
    check_scope_add_run(&c->scope, &facts);
}

static enum cli_exit report(struct check *c, double start)
{
    enum cli_exit exit = check_conclude(c);
    find_scope(c);
    check_errors_save(c);
    if (!write_violations(c))
        exit = cli_worse_exit(exit, EXIT_USAGE);
    if (!c->options.json || strcmp(c->options.json, "-") != 0)
        check_print(c);
    if (c->options.json && !check_write_json(c, base_now() - start))
        exit = cli_worse_exit(exit, EXIT_USAGE);
    if (!check_write_documents(c, base_now() - start))
        exit = cli_worse_exit(exit, EXIT_USAGE);
    return exit;
}

enum cli_exit check_program(struct check *c)
{
    struct diagnostic why = {0};
    double start = base_now();
    c->observations = c->options.observations;
    if (c->options.mode == WORKER_DFS)
        c->options.jobs = 1;
    if (!suppress_read(&c->suppressions, &c->options.suppress))
        return EXIT_USAGE;
    c->program = target_build(&c->source, &why);
    if (!c->program)
        return check_cannot(&why);
    enum cli_exit exit = run_program(c, start);
    if (exit == EXIT_HOLDS)
        exit = report(c, start);
    for (uint64_t k = 0; k < c->options.jobs; k++)
        target_free(c->workers[k]);
    check_errors_free(c);
    target_program_free(c->program);
    return exit;
}

void check_free(struct check *c)
{
    for (size_t k = 0; k < c->limits.len; k++)
        free(c->limits.data[k]);
    vec_free(&c->limits);
    vec_free(&c->files);
    check_scope_free(&c->scope);
    suppress_free(&c->suppressions);
    text_free(&c->failure);
    free(c->interleaved);
    free(c->assembly);
}

/* Litmus tests have nothing to compile; they and programs are not mixed. */
static enum cli_exit check_files(struct check *c)
{
    size_t litmus = 0;
    for (size_t k = 0; k < c->files.len; k++)
        litmus += check_litmus_is(c->files.data[k]);
    if (litmus && litmus < c->files.len)
        return output_error(PL_USAGE, "litmus tests and programs cannot be checked together");
    if (litmus && (c->options.test || c->options.spec || c->options.trace || c->options.all_errors ||
                   c->source.flag_count))
        return output_error(PL_USAGE,
                            "--test, --spec, --trace, --all-errors and CFLAGS are not for litmus tests");
    if (litmus && (c->options.runs || c->options.seed != CHECK_NO_SEED))
        return output_error(PL_USAGE, "--runs and --seed are not for litmus tests: all executions are run");
    if (litmus && (check_goes_on(&c->options) || c->options.volatiles))
        return output_error(
            PL_USAGE,
            "--races, --suppress and --volatile are not for litmus tests: they say which accesses are "
            "atomic");
    if (litmus && c->options.quasi)
        return output_error(PL_USAGE, "--quasi is not for litmus tests: they have no operations");
    if (litmus)
        return check_litmus(&c->files, &c->options);
    enum cli_exit exit = check_options_fit(&c->options);
    return exit == EXIT_HOLDS ? check_program(c) : exit;
}

static enum cli_exit run_check(void *context)
{
    struct check *c = context;
    guard_begin(c->files.data[0], c->options.time, 0, EXIT_HOLDS);
    return check_files(c);
}

enum cli_exit cli_check(int count, char *const *words)
{
    struct check c = {.options = check_options_default};
    enum cli_exit exit;
    if (!cli_parse(&cli_check_text, check_own_words(count, words), words, &c.options, &c.files, &exit))
        return exit;
    c.style = output_style(c.options.color);
    c.source = check_source(&c.files, count, words);
    exit = spec_guard_run(&(struct spec_guarded){
        .spec = c.options.spec, .time = c.options.time, .run = run_check, .context = &c});
    check_free(&c);
    vec_free(&c.options.suppress);
    return exit;
}
