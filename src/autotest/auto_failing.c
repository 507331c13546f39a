/* SPDX-License-Identifier: Apache-2.0 */
/* A test that failed: a file that fails by itself. */
#include "autotest/auto_reproduce.h"
#include "autotest/autotest.h"
#include "base/budget.h"
#include "base/deadline.h"
#include "base/shell_word.h"
#include "target/compilers.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *file_name(const struct autotest *a, const char *wanted, const char *ending)
{
    struct text name = {0};
    if (wanted)
        text_puts(&name, wanted);
    else
        text_add_name(&name, a->options.campaign.out, a->files.data[0], ending);
    return text_take(&name);
}

void auto_add_check_command(struct text *t, const struct operand_list *files, const char *test)
{
    text_puts(t, "plumb check");
    for (size_t i = 0; i < files->len; i++)
        shell_add_file(t, files->data[i]);
    if (test)
        text_puts(t, " --test"), shell_add_word(t, test);
}

void auto_add_all_flags(struct text *t, const struct target_source *source)
{
    for (size_t i = 0; i < source->flag_count; i++) {
        text_puts(t, i ? "" : " --");
        shell_add_word(t, source->flags[i]);
    }
}

void auto_add_check_options(struct text *t, const struct campaign_options *o)
{
    static const char *const modes[] = {"all", "random", "pct", "dfs"};
    if (o->mode > 0 && !o->all_seq_cst) /* --preemptions chooses interleavings itself */
        text_printf(t, " --mode %s", modes[o->mode]);
    if (o->mode == WORKER_RANDOM || o->mode == WORKER_PCT)
        text_printf(t, " --runs %" PRIu64 " --seed %" PRIu64, o->runs, o->seed);
    if (o->memory > 0)
        text_printf(t, " --memory %s", campaign_memory_name(o));
    text_puts(t, o->release_sequence > 0 ? " --release-sequence=c11" : "");
    if (o->preemptions != campaign_options_default.preemptions)
        text_printf(t, " --preemptions %" PRIu64, o->preemptions);
    if (o->steps != campaign_options_default.steps)
        text_printf(t, " --steps %" PRIu64, o->steps);
    if (o->depth != campaign_options_default.depth)
        text_printf(t, " --depth %" PRIu64, o->depth);
    if (o->nondet)
        text_puts(t, " --nondet"), shell_add_word(t, o->nondet);
    if (o->loops)
        text_printf(t, " --loops %" PRIu64, o->loops);
    if (o->races)
        text_puts(t, o->races == CAMPAIGN_RACES_ALLOW ? " --races=allow" : " --races=report");
    text_puts(t, o->volatiles ? " --volatile=relaxed" : "");
    for (size_t k = 0; k < o->suppress.len; k++)
        text_puts(t, " --suppress"), shell_add_word(t, o->suppress.data[k]);
    text_puts(t, o->opaque_items ? " --opaque-items" : o->symmetry ? " --symmetry" : "");
    text_puts(t, o->progress ? " --progress" : "");
    text_puts(t, o->no_fold ? " --no-fold" : "");
    text_puts(t, o->spurious ? " --spurious" : "");
    text_puts(t, o->weak_cas ? " --weak-cas" : "");
    text_puts(t, o->reuse ? " --reuse" : "");
    text_puts(t, o->uninitialized ? " --uninitialized=all" : "");
    text_puts(t, o->no_annotations ? " --no-annotations" : "");
    text_puts(t, o->histories ? " --histories every" : "");
    if (o->sync > 0)
        text_puts(t, o->sync == SYNC_ALL ? " --sync=all" : " --sync=none");
    text_puts(t, o->leaks ? " --leaks" : "");
    if (o->spec)
        text_puts(t, " --spec"), shell_add_word(t, o->spec);
    if (o->quasi)
        text_printf(t, " --quasi %s", o->quasi);
    if (o->golden)
        text_puts(t, " --golden"), shell_add_file(t, o->golden);
    if (o->golden_define)
        text_puts(t, " --golden-define"), shell_add_file(t, o->golden_define);
    compilers_add_options(t);
}

/* Does the file alone fail, too? A golden implementation is not in it. False: *why says what it does. */
static bool reproduces(const struct autotest *a, const char *path, const struct auto_flags *flags,
                       struct diagnostic *why)
{
    struct target_source source = {.files = &path, .file_count = 1};
    source.silent = true;
    source.no_annotations = a->source.no_annotations;
    source.flags = (const char *const *)flags->list.data;
    source.flag_count = flags->list.len;
    struct campaign_options plain = a->options.campaign;
    plain.init = plain.final = NULL;
    struct auto_runner runner = auto_make_runner(a);
    runner.options = &plain;
    runner.deadline = isinf(deadline_left()) ? 0 : base_now() + deadline_left();
    struct target_program *program = target_build(&source, why);
    if (!program)
        return why->code != PL_TIME &&
               diagnostic_set(why, PL_BUILD, 0, 0, "as one file the program does not build");
    runner.program = program;
    enum verdict verdict = a->golden ? VERDICT_VIOLATED : auto_run_one(&runner, "").verdict;
    target_program_free(program);
    return verdict == VERDICT_VIOLATED ||
           diagnostic_set(why, PL_CANNOT_RUN, 0, 0, "as one file the test %s",
                          verdict == VERDICT_HOLDS ? "holds"
                          : deadline_passed()      ? "was not run to its end: time limit met"
                                                   : "cannot be decided");
}

static char *reproducing_command(const struct autotest *a, const char *path, const struct auto_flags *flags)
{
    struct text command = {0};
    struct target_source source = {.flags = (const char *const *)flags->list.data,
                                   .flag_count = flags->list.len};
    text_puts(&command, "plumb check");
    shell_add_file(&command, path);
    auto_add_check_options(&command, &a->options.campaign);
    auto_add_all_flags(&command, &source);
    return text_take(&command);
}

/* The command that fails in the same way; null: *why says why there is none. */
static char *try_reproduction(const struct autotest *a, const char *path, enum auto_copying copying,
                              struct diagnostic *why)
{
    struct auto_flags flags = auto_flags_for(&a->source, copying);
    char *command = reproducing_command(a, path, &flags);
    struct auto_reproduction r = {.source = &a->source,
                                  .copying = copying,
                                  .test = a->smallest,
                                  .summary = "A test that fails, found by plumb auto.",
                                  .command = command};
    bool fine = auto_reproduce(path, &r, why);
    if (fine && !reproduces(a, path, &flags, why)) {
        unlink(path);
        fine = false;
    }
    auto_flags_free(&flags);
    if (fine)
        return command;
    free(command);
    return NULL;
}

char *auto_write_reproduction(const struct autotest *a, struct diagnostic *why)
{
    OWNED char *path =
        file_name(a, a->options.reproduce, target_is_cxx(&a->source) ? ".repro.cpp" : ".repro.c");
    char *command = NULL;
    for (int k = 0; !command && k < AUTO_COPYINGS && !(k && deadline_passed()); k++)
        command = try_reproduction(a, path, (enum auto_copying)k, why);
    return command;
}
