/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb replay`: runs one recorded execution again. */
#include "base/vec.h"
#include "campaign/campaign_confirm.h"
#include "campaign/campaign_run.h"
#include "campaign/serial_runs.h"
#include "cli/common/output.h"
#include "cli/common/report_files.h"
#include "cli/common/spec_guard.h"
#include "explain/program/explain_error.h"
#include "explain/program/explain_execution.h"
#include "proving/proving.h"
#include "target/compilers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct replay_options {
    int color;
    bool plain, gdb, sandbox;
    uint64_t around;
    const char *out, *cc, *cxx;
    struct report_paths files;
    char *const *gdb_options;
    size_t gdb_option_count;
};

#define FIELD(name) offsetof(struct replay_options, name)

static const struct option_entry replay_options_table[] = {
    {"plain", 0, OPTION_FLAG, NULL, FIELD(plain), 0, 0,
     "Show all plain accesses, not only those to what the error is about."},
    {"around", 0, OPTION_NUMBER, "STEP", FIELD(around), 1, UINT32_MAX,
     "Print the twenty steps before and after that one (all steps)."},
    {"gdb", 0, OPTION_FLAG, NULL, FIELD(gdb), 0, 0,
     "Run it under gdb, with the threads of the program as gdb's own. Words after '--' are options of gdb."},
    COMPILER_OPTIONS(FIELD(cc), FIELD(cxx)),
    SANDBOX_OPTION(FIELD(sandbox)),
    OUT_OPTION(FIELD(out)),
    REPORT_FILE_OPTIONS(FIELD(files)),
    COLOR_OPTION(FIELD(color)),
};

static const struct option_section replay_sections[] = {
    {"description", "Builds the program of a trace again and runs the recorded execution, choice by choice. "
                    "The events must be the same as then; if they are not, the program depends on more than "
                    "its schedule, or has changed since.\n\n"
                    "Under gdb, 'run' goes to the error, or to a breakpoint before it, and may be used again "
                    "and again: the execution is the same each time. 'help plumb' lists the commands that "
                    "show the threads and the events.\n"},
    {"exit status",
     "1 the recorded error happened again; 2 wrong usage, or no trace; 3 the execution differed, or gdb was "
     "left before the error; 4 the program does not build or cannot be run, or there is no gdb.\n"},
    {"examples", "  plumb replay queue.plr\n"
                 "  plumb replay queue.plr --gdb\n"
                 "  plumb replay queue.plr --gdb -- -batch -ex run -ex 'plumb threads'\n"},
};

const struct option_command cli_replay_text = {
    .name = "replay",
    .summary = "Run a recorded execution again.",
    .operands = "TRACE [-- GDB-OPTIONS...]",
    .operands_least = 1,
    .operands_most = 1,
    COMMAND_TABLES(replay_options_table, replay_sections),
};

/* Is this the execution that was recorded? */
static bool is_same(const struct trace_file *trace, const struct worker_shared *s)
{
    uint64_t expected = trace->run.config.expected_hash;
    return trace->error && strcmp(trace->error, error_word(s->error.kind)) == 0 &&
           (!expected || expected == s->event_hash);
}

static const char differs[] = "the execution differs from the recorded one: the program has changed, or "
                              "depends on more than its schedule";

static bool write_documents(const struct report_paths *paths, const char *name,
                            const struct report_counterexample *found, bool same)
{
    struct report_files files;
    struct text text = {0};
    struct report_style style = {.columns = 100, .unicode = true};
    if (!report_paths_wanted(paths))
        return true;
    if (!report_files_begin(&files, paths))
        return false;
    if (found)
        report_terminal(&text, found, &style);
    struct report_case one = {.name = name,
                              .verdict = same ? VERDICT_VIOLATED : VERDICT_INCONCLUSIVE,
                              .message = same ? NULL : "the execution differs from the recorded one",
                              .text = text.data,
                              .found = &found,
                              .found_count = found != NULL};
    report_documents_add(&files.documents, &one);
    text_free(&text);
    return report_files_finish(&files, "replay", one.verdict);
}

/* A step that --around asks for, beyond the last one. */
static void say_missing_step(struct text *t, const struct report_execution *x, uint32_t around)
{
    uint32_t last = x && x->event_count ? x->events[x->event_count - 1].id : 0;
    if (last && around > last)
        text_printf(t, "  there is no step %" PRIu32 ": the last one is %" PRIu32 "\n", around, last);
}

/* `found`: null if no error came. */
static enum cli_exit report_replay(const struct report_counterexample *found, const char *name, bool same,
                                   const struct replay_options *options)
{
    struct report_style style = output_style(options->color);
    struct text t = {0};
    style.full = true;
    style.around = (uint32_t)options->around;
    if (found)
        report_terminal(&t, found, &style);
    if (found)
        say_missing_step(&t, found->execution, style.around);
    if (!same)
        text_printf(&t, "  %s\n", differs);
    output_text(stdout, &t);
    text_free(&t);
    enum cli_exit exit = same ? EXIT_VIOLATED : EXIT_INCONCLUSIVE;
    return write_documents(&options->files, name, found, same) ? exit : cli_worse_exit(exit, EXIT_USAGE);
}

/* The accesses that an error is about are known once it has happened: a second run has them in its trace. */
static enum cli_exit show_replay(const struct trace_file *trace, const struct target_program *program,
                                 struct target_worker *worker, const struct replay_options *options)
{
    const struct worker_shared *shown = target_shared(worker);
    const char *name = trace->source.files[0];
    bool same = is_same(trace, shown);
    struct confirmed again = {0};
    struct explained_execution explained;
    if (shown->error.kind == WORKER_ERROR_NONE)
        return report_replay(NULL, name, same, options);
    if (!options->plain)
        campaign_confirm(&(struct confirm_question){.program = program, .name = name, .worker = worker},
                         &again);
    if (again.run.again && again.run.answer == CONFIRM_SAME)
        shown = target_shared(worker = again.run.again);
    else
        campaign_judge_again(name, shown, &again);
    explain_execution(&explained, name, shown, campaign_judged(&again), options->files.of[REPORT_HTML]);
    explain_execution_add_output(&explained, worker);
    enum cli_exit exit = report_replay(&explained.counterexample, name, same, options);
    explain_execution_free(&explained);
    campaign_confirmed_free(&again);
    return exit;
}

static enum cli_exit run_replay(const struct trace_file *trace, const struct target_program *program,
                                const struct target_run *run, const struct replay_options *options)
{
    struct diagnostic why = {0};
    struct target_watch watch = {.stall_seconds = CAMPAIGN_STALL_SECONDS};
    struct target_worker *worker = target_start(program, run, &why);
    if (!worker) {
        output_diagnostic(NULL, &why);
        return EXIT_CANNOT_RUN;
    }
    target_wait(&worker, 1, &watch);
    const struct target_end *end = target_end_of(worker);
    enum cli_exit exit = end->outcome == TARGET_BROKEN ? EXIT_BUG : EXIT_CANNOT_RUN;
    if (end->outcome == TARGET_FOUND || end->outcome == TARGET_FINISHED)
        exit = show_replay(trace, program, worker, options);
    else
        output_error(PL_CANNOT_RUN, "%s", end->message);
    target_free(worker);
    return exit;
}

/* What the last run in gdb came to. */
static enum cli_exit report_debugging(const struct trace_file *trace, const struct worker_shared *s)
{
    if (s->state == WORKER_REFUSED) {
        output_error(PL_CANNOT_RUN, "%s", s->error.message);
        return EXIT_CANNOT_RUN;
    }
    bool ended = s->state == WORKER_DONE || s->state == WORKER_FOUND;
    if (ended && is_same(trace, s)) {
        printf("the recorded error happened again: %s\n", error_text(s->error.kind));
        return EXIT_VIOLATED;
    }
    puts(ended ? differs : "gdb was left before the recorded error");
    return EXIT_INCONCLUSIVE;
}

static enum cli_exit debug_replay(const struct trace_file *trace, const struct target_program *program,
                                  const struct target_run *run, const struct replay_options *options)
{
    struct diagnostic why = {0};
    struct worker_shared *shared =
        target_debug(program, run, options->gdb_options, options->gdb_option_count, &why);
    if (!shared) {
        output_diagnostic(NULL, &why);
        return EXIT_CANNOT_RUN;
    }
    enum cli_exit exit = report_debugging(trace, shared);
    target_debug_free(shared);
    return exit;
}

/* Names in a trace start from the folder where it was recorded; when that is gone, from here. */
static void enter_folder(const char *folder)
{
    if (!folder || chdir(folder) != 0)
        return;
}

/* A run of `plumb prove`. */
static enum cli_exit replay_proof(const struct trace_file *trace, const struct replay_options *options)
{
    const struct worker_config *config = &trace->run.config;
    const struct proving_gdb gdb = {options->gdb_options, options->gdb_option_count};
    struct proving p = {.name = trace->source.files[0]};
    if (guard_library())
        snprintf(p.question.library, sizeof p.question.library, "%s", guard_library());
    else
        snprintf(p.question.spec, sizeof p.question.spec, "%.*s", PROVE_NAME - 1, config->spec);
    snprintf(p.question.quasi, sizeof p.question.quasi, "%.*s", PROVE_NAME - 1, config->quasi);
    proving_replay(&p, trace, options->gdb ? &gdb : NULL);
    bool same = p.verdict == VERDICT_VIOLATED;
    enum cli_exit exit = same ? EXIT_VIOLATED : EXIT_INCONCLUSIVE;
    if (p.error.code) {
        output_diagnostic(NULL, &p.error);
        exit = cli_exit_of_error(&p.error);
    } else if (!same) {
        printf("  %s\n", p.why);
    } else if (options->gdb) {
        printf("the recorded error happened again: %s\n", p.found.counterexample.one_line);
    } else {
        exit = report_replay(&p.found.counterexample, p.name, same, options);
    }
    proving_free(&p);
    return exit;
}

static enum cli_exit replay_trace(const struct trace_file *trace, const struct replay_options *options)
{
    struct diagnostic why = {0};
    if (trace->proof)
        return replay_proof(trace, options);
    struct target_program *program = target_build(&trace->source, &why);
    if (!program) {
        output_diagnostic(NULL, &why);
        return EXIT_CANNOT_RUN;
    }
    struct target_run run = trace->run;
    if (guard_library())
        snprintf(run.config.spec_library, sizeof run.config.spec_library, "%s", guard_library());
    run.config.all_events = options->plain;
    struct golden golden = {trace->golden_file, trace->golden_define};
    if ((golden.file || golden.define) && !golden_serial_runs(&golden, &trace->source, &run.config, &why)) {
        output_diagnostic(NULL, &why);
        target_program_free(program);
        return EXIT_CANNOT_RUN;
    }
    if (*run.config.test)
        serial_runs_ask(&run.config);
    enum cli_exit exit = options->gdb ? debug_replay(trace, program, &run, options)
                                      : run_replay(trace, program, &run, options);
    target_program_free(program);
    return exit;
}

struct replay {
    struct trace_file trace;
    struct replay_options options;
};

static enum cli_exit run_guarded(void *context)
{
    const struct replay *r = context;
    return replay_trace(&r->trace, &r->options);
}

/* Names that the user gave start from where we are now; the trace's folder will be entered. */
static void make_absolute(const char **path, char *folder, struct text *out)
{
    if (!*path || **path == '/' || strcmp(*path, "-") == 0)
        return;
    text_printf(out, "%s/%s", folder, *path);
    *path = out->data;
}

static enum cli_exit replay_from_here(struct replay *r)
{
    struct replay_options *options = &r->options;
    struct text names[REPORT_DOCUMENTS] = {0};
    char *folder = get_current_dir_name();
    for (size_t k = 0; folder && k < REPORT_DOCUMENTS; k++)
        make_absolute(&options->files.of[k], folder, &names[k]);
    enter_folder(r->trace.folder);
    enum cli_exit exit = spec_guard_run(&(struct spec_guarded){
        .spec = r->trace.run.config.spec, .run = run_guarded, .context = r, .here = options->gdb});
    for (size_t k = 0; k < REPORT_DOCUMENTS; k++)
        text_free(&names[k]);
    free(folder);
    return exit;
}

/* Where the options of gdb begin; without --gdb, '--' only ends the options of this command. */
static int find_gdb_options(int count, char *const *words)
{
    bool gdb = false;
    for (int k = 0; k < count; k++) {
        gdb |= strcmp(words[k], "--gdb") == 0;
        if (strcmp(words[k], "--") == 0)
            return gdb ? k : count;
    }
    return count;
}

enum cli_exit cli_replay(int count, char *const *words)
{
    struct replay replay = {0};
    struct replay_options *options = &replay.options;
    int own = find_gdb_options(count, words);
    struct operand_list operands = {0};
    struct diagnostic why = {0};
    enum cli_exit exit;
    if (!cli_parse(&cli_replay_text, own, words, options, &operands, &exit))
        return exit;
    if (options->gdb && options->sandbox)
        output_error(PL_USAGE, "--sandbox does not confine what runs under gdb");
    if ((options->gdb && options->sandbox) || !report_files_can_write(&options->files)) {
        vec_free(&operands);
        return EXIT_USAGE;
    }
    if (own < count) {
        options->gdb_options = words + own + 1;
        options->gdb_option_count = (size_t)(count - own - 1);
    }
    if (trace_file_load(&replay.trace, operands.data[0], &why)) {
        if (!options->cc && !options->cxx)
            compilers_choose(replay.trace.cc, replay.trace.cxx);
        exit = replay_from_here(&replay);
        trace_file_free(&replay.trace);
    } else {
        output_diagnostic(operands.data[0], &why);
        exit = EXIT_USAGE;
    }
    vec_free(&operands);
    return exit;
}
