/* SPDX-License-Identifier: Apache-2.0 */
/* A test that failed: a file that fails by itself. */
#include "autotest/auto_reproduce.h"
#include "autotest/autotest.h"
#include "base/shell_word.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *file_name(const struct autotest *a, const char *wanted, const char *ending)
{
    struct text name = {0};
    if (wanted)
        text_puts(&name, wanted);
    else
        text_add_stem(&name, a->options.campaign.out, a->files.data[0]), text_puts(&name, ending);
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
}

/* Does the file alone fail, too? */
static bool reproduces(const struct autotest *a, const char *path)
{
    struct diagnostic why = {0};
    struct target_source source = {.files = &path, .file_count = 1, .cc = a->source.cc, .cxx = a->source.cxx};
    source.silent = true;
    source.no_annotations = a->source.no_annotations;
    VEC(const char *) flags = {0};
    for (size_t i = 0; i < a->source.flag_count; i++)
        if (!auto_is_in_file(&a->source, i))
            vec_push(&flags, a->source.flags[i]);
    source.flags = flags.data;
    source.flag_count = flags.len;
    struct campaign_options plain = a->options.campaign;
    plain.init = plain.final = NULL;
    struct auto_runner runner = auto_make_runner(a);
    runner.options = &plain;
    runner.deadline = 0;
    struct target_program *program = target_build(&source, &why);
    runner.program = program;
    bool fails = program && auto_run_one(&runner, "").verdict == VERDICT_VIOLATED;
    target_program_free(program);
    vec_free(&flags);
    return fails;
}

char *auto_write_reproduction(const struct autotest *a, struct diagnostic *why)
{
    struct text options = {0};
    char *path = file_name(a, a->options.reproduce, target_is_cxx(&a->source) ? ".repro.cpp" : ".repro.c");
    text_puts(&options, "");
    auto_add_check_options(&options, &a->options.campaign);
    struct auto_reproduction r = {.source = &a->source,
                                  .test = a->smallest,
                                  .summary = "A test that fails, found by plumb auto.",
                                  .options = options.data};
    bool fine = auto_reproduce(path, &r, why);
    if (fine && !a->golden && !reproduces(a, path)) { /* a golden implementation is not in the file */
        unlink(path);
        fine = false;
    }
    text_free(&options);
    if (fine)
        return path;
    free(path);
    return NULL;
}
