/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/command.h"

#include "base/interruption.h"
#include "base/terminal.h"
#include "base/vec.h"
#include "cli/common/json_document.h"
#include "cli/common/output.h"
#include "cli/common/output_paths.h"
#include "cli/common/report_files.h"
#include "target/compilers.h"
#include "target/sandbox.h"

#include <string.h>
#include <unistd.h>

const struct cli_command cli_commands[] = {
    {&cli_check_text, cli_check},     {&cli_auto_text, cli_auto},         {&cli_merge_text, cli_merge},
    {&cli_orders_text, cli_orders},   {&cli_stress_text, cli_stress},     {&cli_prove_text, cli_prove},
    {&cli_replay_text, cli_replay},   {&cli_refine_text, cli_refine},     {&cli_monitor_text, cli_monitor},
    {&cli_convert_text, cli_convert}, {&cli_generate_text, cli_generate}, {&cli_specs_text, cli_specs},
    {&cli_help_text, cli_help},       {&cli_version_text, cli_version},
};
const size_t cli_command_count = sizeof cli_commands / sizeof *cli_commands;

enum cli_exit cli_worse_exit(enum cli_exit a, enum cli_exit b)
{
    static const enum cli_exit worst_first[] = {EXIT_BUG,   EXIT_VIOLATED,     EXIT_CANNOT_RUN,
                                                EXIT_USAGE, EXIT_INCONCLUSIVE, EXIT_HOLDS};
    for (size_t i = 0; i < sizeof worst_first / sizeof *worst_first; i++)
        if (a == worst_first[i] || b == worst_first[i])
            return worst_first[i];
    return EXIT_BUG;
}

enum verdict cli_verdict_of(enum cli_exit exit)
{
    switch (exit) {
    case EXIT_HOLDS: return VERDICT_HOLDS;
    case EXIT_VIOLATED: return VERDICT_VIOLATED;
    case EXIT_INCONCLUSIVE: return VERDICT_INCONCLUSIVE;
    default: return VERDICT_NONE;
    }
}

enum cli_exit cli_exit_of(enum verdict verdict)
{
    switch (verdict) {
    case VERDICT_HOLDS:
    case VERDICT_SURVIVED: return EXIT_HOLDS;
    case VERDICT_VIOLATED: return EXIT_VIOLATED;
    case VERDICT_INCONCLUSIVE: return EXIT_INCONCLUSIVE;
    default: return EXIT_BUG;
    }
}

enum cli_exit cli_exit_of_error(const struct diagnostic *why)
{
    switch (why->code) {
    case PL_INTERNAL: return EXIT_BUG;
    case PL_NO_MEMORY:
    case PL_TIME: return EXIT_INCONCLUSIVE;
    case PL_BUILD:
    case PL_SPEC_FAILED:
    case PL_CANNOT_RUN: return EXIT_CANNOT_RUN;
    default: return EXIT_USAGE;
    }
}

const struct cli_command *cli_find_command(const char *name)
{
    for (size_t i = 0; i < cli_command_count; i++)
        if (!strcmp(cli_commands[i].text->name, name))
            return &cli_commands[i];
    return NULL;
}

enum cli_exit cli_unknown_command(const char *name)
{
    struct text list = {0};
    VEC(const char *) names = {0};
    for (size_t i = 0; i < cli_command_count; i++) {
        vec_push(&names, cli_commands[i].text->name);
        text_printf(&list, "%s%s", i ? ", " : "", names.data[i]);
    }
    const char *nearest = options_nearest(name, names.data, names.len);
    if (nearest)
        output_error(PL_USAGE, "unknown command '%.100s', did you mean '%s'? (commands: %s)", name, nearest,
                     list.data);
    else
        output_error(PL_USAGE, "unknown command '%.100s' (commands: %s)", name, list.data);
    vec_free(&names);
    text_free(&list);
    return EXIT_USAGE;
}

static void expect_documents(const struct option_command *text, const void *settings)
{
    struct report_paths files;
    for (size_t k = 0; k < REPORT_DOCUMENTS; k++)
        files.of[k] = output_path(text, settings, report_document_kinds[k].option);
    json_document_expect(text->name, output_path(text, settings, "json"));
    report_files_expect(text->name, &files);
}

/* --sandbox, in whichever command it is. */
static bool confine(const struct option_command *text, const void *settings)
{
    struct diagnostic why = {0};
    for (size_t k = 0; k < text->option_count; k++)
        if (strcmp(text->options[k].name, "sandbox") == 0 &&
            *(const bool *)((const char *)settings + text->options[k].field) && !sandbox_begin(&why)) {
            output_diagnostic(NULL, &why);
            return false;
        }
    return true;
}

bool cli_parse(const struct option_command *text, int count, char *const *words, void *settings,
               struct operand_list *operands, enum cli_exit *exit)
{
    struct diagnostic d = {0};
    enum options_outcome outcome = options_parse(text, count, words, settings, operands, &d);
    if (outcome == OPTIONS_WRONG)
        output_diagnostic(NULL, &d);
    if (outcome == OPTIONS_HELP) {
        struct text help = {0};
        options_help(&help, text, terminal_columns(STDOUT_FILENO));
        output_text(stdout, &help);
        text_free(&help);
    }
    if (outcome == OPTIONS_RUN &&
        !(output_paths_place(text, settings) && output_paths_fit(text, settings, operands)))
        outcome = OPTIONS_WRONG;
    compilers_choose(output_path(text, settings, "cc"), output_path(text, settings, "cxx"));
    bool confined = outcome != OPTIONS_RUN || confine(text, settings);
    if (outcome == OPTIONS_RUN && confined)
        expect_documents(text, settings);
    *exit = outcome == OPTIONS_WRONG ? EXIT_USAGE : confined ? EXIT_HOLDS : EXIT_CANNOT_RUN;
    if (!confined)
        outcome = OPTIONS_WRONG;
    if (outcome != OPTIONS_RUN)
        vec_free(operands);
    return outcome == OPTIONS_RUN;
}

/* Options that stand where the command does. */
static const char *command_of_option(const char *word)
{
    if (!strcmp(word, "--version"))
        return "version";
    if (!strcmp(word, "--help") || !strcmp(word, "-h"))
        return "help";
    return word;
}

static enum cli_exit run_command(int count, char *const *words)
{
    if (!count)
        return output_error(PL_USAGE, "no command (see 'plumb help')");
    const char *name = command_of_option(words[0]);
    if (name[0] == '-')
        return output_error(PL_USAGE, "unknown option '%.100s' before a command (see 'plumb help')", name);
    if (!strcmp(name, "annotate"))
        return cli_annotate(count - 1, words + 1);
    const struct cli_command *command = cli_find_command(name);
    return command ? command->run(count - 1, words + 1) : cli_unknown_command(name);
}

static void announce_interruption(const char *during)
{
    fprintf(stderr, "plumb: interrupted %s: there is no answer\n", during);
}

enum cli_exit cli_main(int count, char *const *words)
{
    interruption_announce(announce_interruption);
    output_reserve_standard_streams();
    enum cli_exit exit = run_command(count, words);
    json_document_end(exit);
    return output_finish(exit);
}
