/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb check`: runs the executions of a program, or of a test of a harness, all or a sample. */
#include "base/budget.h"
#include "base/interruption.h"
#include "campaign/cluster/cluster_frames.h"
#include "campaign/observed_history.h"
#include "cli/check/check_program.h"
#include "cli/check/check_litmus.h"
#include "cli/check/check_task.h"
#include "cli/common/output.h"
#include "campaign/task/task_file.h"
#include "cli/common/time_limit.h"
#include "ownspec/guard.h"
#include "target/leftovers.h"

#include <string.h>

/* Puts the violating histories behind the serial ones in the file of --observations. */
static bool write_violations(const struct campaign *c)
{
    bool fine = true;
    for (size_t k = 0; c->observations && k < campaign_count_confirmed(c); k++) {
        struct text all = {0};
        if (text_add_file(&all, c->observations) &&
            observed_history_append(&all, target_shared(c->errors.data[k].confirmed.run.again))) {
            FILE *file = output_open(c->observations);
            if (file)
                output_text(file, &all);
            fine &= file && output_close(file, c->observations);
        }
        text_free(&all);
    }
    return fine;
}

static enum cli_exit exit_of(const struct campaign *c)
{
    return c->verdict == VERDICT_NONE ? cli_exit_of_error(&c->why) : cli_exit_of(c->verdict);
}

enum cli_exit check_program(struct campaign *c)
{
    double start = base_now();
    if (!c->tests && frames_descriptor() >= 0)
        return check_serve(c, frames_descriptor());
    check_progress_listen(&c->options);
    if (!campaign_decide(c)) {
        output_diagnostic(NULL, &c->why);
        return cli_exit_of_error(&c->why);
    }
    check_shrink_test(c);
    check_find_repair(c);
    bool written = write_violations(c);
    if (!c->options.json || strcmp(c->options.json, "-") != 0)
        check_print(c);
    if (c->options.json)
        written &= check_write_json(c, base_now() - start);
    written &= check_write_documents(c, base_now() - start);
    if (c->options.shard.result)
        written &= check_write_shard(c);
    return written ? exit_of(c) : cli_worse_exit(exit_of(c), EXIT_USAGE);
}

/* A task says itself what is asked. */
static enum cli_exit check_task_files(const struct campaign *c)
{
    const struct campaign_options *o = &c->options;
    if (o->test || o->spec || o->golden || o->golden_define || o->checkpoint || o->shard.words ||
        o->shard.result || o->all_errors || o->mode > 0 || o->memory > 0 || o->races || o->leaks ||
        report_paths_wanted(&o->files))
        return output_error(
            PL_USAGE,
            "--test, --spec, --golden, --checkpoint, --shard, --all-errors, --mode, --memory, --races, "
            "--leaks, --html, --junit and --sarif are not for tasks of SV-COMP");
    return check_tasks(c);
}

/* Litmus tests have nothing to compile; they and programs are not mixed. */
static enum cli_exit check_files(struct campaign *c)
{
    size_t litmus = 0, tasks = 0;
    if (c->options.test && !*c->options.test)
        return output_error(PL_USAGE, "--test is empty: it needs the operations of each thread, as in "
                                      "--test 'push(1) | pop'");
    for (size_t k = 0; k < c->files.len; k++)
        tasks += task_file_is(c->files.data[k]);
    if (tasks && tasks < c->files.len)
        return output_error(PL_USAGE, "tasks of SV-COMP and programs cannot be checked together");
    if (tasks)
        return check_task_files(c);
    if (c->options.property || c->options.witness)
        return output_error(PL_USAGE, "--property and --witness are for tasks of SV-COMP");
    for (size_t k = 0; k < c->files.len; k++)
        litmus += check_litmus_is(c->files.data[k]);
    if (litmus && litmus < c->files.len)
        return output_error(PL_USAGE, "litmus tests and programs cannot be checked together");
    if (litmus && (c->options.test || c->options.spec || c->options.trace || c->options.all_errors ||
                   c->source.flag_count))
        return output_error(PL_USAGE,
                            "--test, --spec, --trace, --all-errors and CFLAGS are not for litmus tests");
    if (litmus && (c->options.runs || c->options.seed != CAMPAIGN_NO_SEED))
        return output_error(PL_USAGE, "--runs and --seed are not for litmus tests: all executions are run");
    if (litmus && (campaign_goes_on(&c->options) || c->options.volatiles))
        return output_error(
            PL_USAGE,
            "--races, --suppress and --volatile are not for litmus tests: they say which accesses are "
            "atomic");
    if (litmus && (c->options.shard.words || c->options.shard.result))
        return output_error(PL_USAGE,
                            "--shard and --result are not for litmus tests: name some of them each");
    if (litmus && c->options.quasi)
        return output_error(PL_USAGE, "--quasi is not for litmus tests: they have no operations");
    if (litmus)
        return check_litmus(&c->files, &c->options);
    enum cli_exit exit = check_options_fit(&c->options);
    if (exit != EXIT_HOLDS)
        return exit;
    time_limit_begin(c->options.time, c->files.data[0]);
    return check_program(c);
}

static enum cli_exit run_check(void *context)
{
    struct campaign *c = context;
    guard_begin(c->files.data[0], c->options.time, 0, EXIT_HOLDS);
    leftovers_begin();
    interruption_begin();
    return check_files(c);
}

enum cli_exit cli_check(int count, char *const *words)
{
    struct campaign c = {.options = campaign_options_default};
    enum cli_exit exit;
    if (!cli_parse(&cli_check_text, check_own_words(count, words), words, &c.options, &c.files, &exit))
        return exit;
    c.source = check_source(&c.files, count, words);
    exit = check_run_guarded(&c.options, &c.source, run_check, &c);
    campaign_free(&c);
    check_free_smaller(&c);
    vec_free(&c.options.suppress);
    vec_free(&c.options.orders);
    return exit;
}
