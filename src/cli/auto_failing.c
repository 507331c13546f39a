/* SPDX-License-Identifier: Apache-2.0 */
/* A test that failed: the smallest one, its story, and a file that fails by itself. */
#include "base/terminal.h"
#include "cli/auto_reproduce.h"
#include "cli/auto_shrink.h"
#include "cli/automatic.h"
#include "cli/check.h"
#include "cli/output.h"
#include "cli/shell_word.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *shrink(struct automatic *a, struct auto_shrinking *done)
{
    struct auto_words words;
    struct auto_test failing = auto_make_again(a, a->failing_number);
    struct check_options plain = a->options.check;
    plain.init = plain.final = NULL; /* they are part of the words */
    struct auto_runner runner = auto_make_runner(a);
    runner.options = &plain;
    auto_words_of(&words, &failing, &a->calls, a->options.check.init, a->options.check.final);
    *done = auto_shrink(&words, &runner);
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

static void add_check_options(struct text *t, const struct check_options *o)
{
    static const char *const modes[] = {"all", "random", "pct", "dfs"};
    if (o->mode > 0)
        text_printf(t, " --mode %s", modes[o->mode]);
    if (o->mode == WORKER_RANDOM || o->mode == WORKER_PCT)
        text_printf(t, " --runs %" PRIu64 " --seed %" PRIu64, o->runs, o->seed);
    if (o->memory > 0)
        text_printf(t, " --memory %s", check_memory_name(o));
    if (o->loops)
        text_printf(t, " --loops %" PRIu64, o->loops);
    if (o->races)
        text_puts(t, o->races == CHECK_RACES_ALLOW ? " --races=allow" : " --races=report");
    text_puts(t, o->volatiles ? " --volatile=relaxed" : "");
    for (size_t k = 0; k < o->suppress.len; k++)
        text_puts(t, " --suppress"), shell_add_word(t, o->suppress.data[k]);
    text_puts(t, o->symmetry ? " --symmetry" : "");
    text_puts(t, o->spurious ? " --spurious" : "");
    text_puts(t, o->weak_cas ? " --weak-cas" : "");
    text_puts(t, o->reuse ? " --reuse" : "");
    text_puts(t, o->uninitialized ? " --uninitialized=all" : "");
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
static bool reproduces(const struct automatic *a, const char *path)
{
    struct diagnostic why = {0};
    struct target_source source = {.files = &path, .file_count = 1, .cc = a->source.cc, .cxx = a->source.cxx};
    source.silent = true;
    VEC(const char *) flags = {0};
    for (size_t i = 0; i < a->source.flag_count; i++)
        if (!auto_is_in_file(&a->source, i))
            vec_push(&flags, a->source.flags[i]);
    source.flags = flags.data;
    source.flag_count = flags.len;
    struct check_options plain = a->options.check;
    plain.init = plain.final = NULL;
    struct auto_runner runner = auto_make_runner(a);
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
    char *path = file_name(a, a->options.reproduce, target_is_cxx(&a->source) ? ".repro.cpp" : ".repro.c");
    text_puts(&options, "");
    add_check_options(&options, &a->options.check);
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

/* ------------------------------------------------------------------ its story */

struct failing {
    const struct automatic *a;
    const char *test; /* the smallest one */
    struct auto_shrinking shrinking;
};

static void add_json(struct json_writer *w, const void *context)
{
    const struct failing *f = context;
    const struct automatic *a = f->a;
    auto_add_json_counts(w, a);
    json_member(w, "failing_test", f->test);
    json_key(w, "found_as"), json_open_object(w);
    json_key(w, "number"), json_uint(w, a->failing_number + 1);
    json_member(w, "test", a->failing);
    json_key(w, "smaller_tried"), json_uint(w, f->shrinking.tried);
    json_key(w, "shrunk"), json_bool(w, !f->shrinking.cut);
    json_close_object(w);
}

static enum cli_exit check_failing(const struct failing *f)
{
    const struct automatic *a = f->a;
    struct text limits = {0};
    auto_add_reasons(&limits, a);
    struct check_tests tests = {
        .limits = limits.len ? limits.data + 2 : NULL, .add_json = add_json, .context = f};
    struct check c = {.options = a->options.check, .source = a->source, .tests = &tests, .command = "auto"};
    c.options.test = f->test;
    c.options.init = c.options.final = NULL;
    c.options.compare = c.options.report_weak = false; /* told about all tests together */
    c.options.jobs = 1;
    c.options.time = 0;
    c.options.observations = a->options.observations;
    c.style = output_style(a->options.check.color);
    for (size_t i = 0; i < a->files.len; i++)
        vec_push(&c.files, a->files.data[i]);
    enum cli_exit exit = check_program(&c);
    check_free(&c);
    text_free(&limits);
    return exit;
}

static void add_story(struct text *t, const struct failing *f, const char *repro)
{
    unsigned tried = f->shrinking.tried;
    text_puts(t, "  failing test: ");
    terminal_add_safe(t, f->test);
    text_printf(t, "\n  found as test %" PRIu64 ": %s; %u smaller one%s tried%s\n", f->a->failing_number + 1,
                f->a->failing, tried, tried == 1 ? "" : "s",
                f->shrinking.cut ? ", then --time was over: there may be smaller ones that fail" : "");
    if (f->a->is_unspecified)
        text_puts(t, "  (the harness has no PLUMB_OBJECT: judged by what its operations answer one after the "
                     "other)\n");
    if (repro) {
        text_puts(t, "  reproduce: plumb check");
        shell_add_file(t, repro);
        add_check_options(t, &f->a->options.check);
        auto_add_flags(t, &f->a->source);
        text_puts(t, "\n");
    } else {
        text_puts(t, "  (the files cannot be combined into one file that fails by itself)\n");
    }
}

static enum cli_exit tell_failing(const struct failing *f)
{
    const struct auto_options *o = &f->a->options;
    enum cli_exit exit = check_failing(f);
    bool printed = !o->check.quiet && !(o->check.json && !strcmp(o->check.json, "-"));
    bool wanted = exit == EXIT_VIOLATED && (printed || o->reproduce);
    char *repro = wanted ? write_reproduction(f->a, f->test) : NULL;
    if (exit == EXIT_VIOLATED && printed) {
        struct text t = {0};
        add_story(&t, f, repro);
        output_text(stdout, &t);
        text_free(&t);
    }
    free(repro);
    return exit;
}

enum cli_exit auto_tell_failed(struct automatic *a)
{
    struct failing f = {.a = a};
    if (a->options.all && !a->options.check.quiet) {
        struct text t = {0};
        text_puts(&t, "  ");
        auto_add_counts(&t, a);
        auto_add_reasons(&t, a);
        fprintf(stderr, "%s\n", t.data);
        text_free(&t);
    }
    char *test = shrink(a, &f.shrinking);
    f.test = test;
    enum cli_exit exit = tell_failing(&f);
    free(test);
    auto_print_compared(a);
    return exit;
}
