/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb replay`: runs one recorded execution again. */
#include "base/terminal.h"
#include "base/vec.h"
#include "cli/check_report.h"
#include "cli/output.h"

#include <string.h>
#include <unistd.h>

struct replay_options {
    int color;
    bool plain;
};

#define FIELD(name) offsetof(struct replay_options, name)

static const struct option_entry replay_options_table[] = {
    {"plain", 0, OPTION_FLAG, NULL, FIELD(plain), 0, 0, "Show plain accesses too."},
    {"color", 0, OPTION_CHOICE, "auto|always|never", FIELD(color), 0, 0, "Colour in reports."},
};

static const struct option_section replay_sections[] = {
    {"description",
     "Builds the program of a trace again and runs the recorded execution, choice by choice. The events "
     "must be the same as then; if they are not, the program depends on more than its schedule, or has "
     "changed since.\n"},
    {"exit status",
     "1 the recorded error happened again; 2 wrong usage, or no trace; 3 the execution differed; 4 the "
     "program does not build or cannot be run.\n"},
};

const struct option_command cli_replay_text = {
    .name = "replay",
    .summary = "Run a recorded execution again.",
    .operands = "TRACE",
    .operands_least = 1,
    .operands_most = 1,
    .options = replay_options_table,
    .option_count = sizeof replay_options_table / sizeof *replay_options_table,
    .sections = replay_sections,
    .section_count = sizeof replay_sections / sizeof *replay_sections,
};

static enum cli_exit report_replay(const struct trace_file *trace, struct target_worker *worker,
                                   const struct report_style *style)
{
    const struct target_end *end = target_end_of(worker);
    const struct worker_shared *s = target_shared(worker);
    if (end->outcome != TARGET_FOUND && end->outcome != TARGET_FINISHED) {
        output_error(PL_CANNOT_RUN, "%s", end->message);
        return end->outcome == TARGET_BROKEN ? EXIT_BUG : EXIT_CANNOT_RUN;
    }
    bool same_error = trace->error && strcmp(trace->error, check_error_word(s->error.kind)) == 0;
    bool same_events = !trace->run.config.expected_hash || trace->run.config.expected_hash == s->event_hash;
    struct text t = {0};
    if (s->error.kind)
        check_report_error(&t, trace->source.files[0], s, style);
    if (!same_error || !same_events)
        text_puts(
            &t,
            "  the execution differs from the recorded one: the program has changed, or depends on more than "
            "its schedule\n");
    output_text(stdout, &t);
    text_free(&t);
    return same_error && same_events ? EXIT_VIOLATED : EXIT_INCONCLUSIVE;
}

static enum cli_exit replay_trace(const struct trace_file *trace, const struct replay_options *options)
{
    struct diagnostic why = {0};
    struct target_program *program = target_build(&trace->source, &why);
    if (!program) {
        output_diagnostic(NULL, &why);
        return EXIT_CANNOT_RUN;
    }
    struct target_run run = trace->run;
    run.config.all_events = options->plain;
    struct report_style style = {
        .columns = terminal_columns(STDOUT_FILENO),
        .color = terminal_use_color((enum terminal_color)options->color, STDOUT_FILENO),
        .unicode = terminal_unicode(),
    };
    enum cli_exit exit = EXIT_CANNOT_RUN;
    struct target_worker *worker = target_start(program, &run, &why);
    struct target_watch watch = {0};
    if (worker) {
        target_wait(&worker, 1, &watch);
        exit = report_replay(trace, worker, &style);
        target_free(worker);
    } else {
        output_diagnostic(NULL, &why);
    }
    target_program_free(program);
    return exit;
}

enum cli_exit cli_replay(int count, char *const *words)
{
    struct replay_options options = {0};
    struct operand_list operands = {0};
    struct trace_file trace;
    struct diagnostic why = {0};
    enum cli_exit exit;
    if (!cli_parse(&cli_replay_text, count, words, &options, &operands, &exit))
        return exit;
    if (trace_file_load(&trace, operands.data[0], &why)) {
        exit = replay_trace(&trace, &options);
        trace_file_free(&trace);
    } else {
        output_diagnostic(operands.data[0], &why);
        exit = EXIT_USAGE;
    }
    vec_free(&operands);
    return exit;
}
