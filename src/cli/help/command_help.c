/* SPDX-License-Identifier: Apache-2.0 */
/* `plumb help` and `plumb version`. */
#include "base/terminal.h"
#include "base/vec.h"
#include "cli/common/output.h"
#include "cli/help/completion.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct help_settings {
    bool man;
    int completion; /* enum completion_shell; -1: not asked for */
};

static const struct option_entry help_options[] = {
    {"man", 0, OPTION_FLAG, NULL, offsetof(struct help_settings, man), 0, 0, "Write the manual page (roff)."},
    {"completion", 0, OPTION_CHOICE, "bash|zsh|fish", offsetof(struct help_settings, completion), 0, 0,
     "Write the completion of command lines for a shell."},
};

const struct option_command cli_help_text = {
    .name = "help",
    .summary = "Explain plumb or one of its commands.",
    .operands = "[COMMAND]",
    .operands_most = 1,
    .options = help_options,
    .option_count = sizeof help_options / sizeof *help_options,
};

const struct option_command cli_version_text = {
    .name = "version",
    .summary = "Print the version.",
    .operands = "",
};

static const char *const exit_codes[] = {
    "0 holds; 1 violated; 2 wrong usage or bad input; 3 inconclusive (a limit",
    "was met); 4 the program under test does not build or run; 70 an internal error.",
    "Several inputs: the first of 70, 1, 4, 2, 3, 0 that occurs.",
};
enum { EXIT_CODE_LINES = sizeof exit_codes / sizeof *exit_codes };

static const char about[] = "Checks concurrent programs, models and recorded histories; shows what is wrong.";

static void add_overview(struct text *out)
{
    text_printf(out, "usage: plumb COMMAND [OPTIONS] ...\n%s\n\ncommands:\n", about);
    for (size_t i = 0; i < cli_command_count; i++)
        text_printf(out, "  %-10s %s\n", cli_commands[i].text->name, cli_commands[i].text->summary);
    text_printf(out, "\nexit codes:\n");
    for (size_t i = 0; i < EXIT_CODE_LINES; i++)
        text_printf(out, "  %s\n", exit_codes[i]);
    text_puts(out, "\n'plumb help COMMAND' or 'plumb COMMAND --help' explains a command.\n");
}

static void add_overview_man(struct text *out)
{
    text_printf(out, ".TH PLUMB 1 \"\" \"plumb %s\" \"Plumbline\"\n", PLUMB_VERSION);
    text_puts(out, ".SH NAME\nplumb \\- check concurrent programs, models and histories\n"
                   ".SH SYNOPSIS\n.B plumb\nCOMMAND [OPTIONS] ...\n.SH DESCRIPTION\n");
    options_add_roff(out, about, strlen(about));
    text_puts(out, "\n.SH COMMANDS\n");
    for (size_t i = 0; i < cli_command_count; i++) {
        const struct option_command *c = cli_commands[i].text;
        text_printf(out, ".TP\n.BR plumb\\-%s (1)\n", c->name);
        options_add_roff(out, c->summary, strlen(c->summary));
        text_puts(out, "\n");
    }
    text_puts(out, ".SH EXIT STATUS\n");
    for (size_t i = 0; i < EXIT_CODE_LINES; i++) {
        options_add_roff(out, exit_codes[i], strlen(exit_codes[i]));
        text_puts(out, "\n");
    }
}

enum cli_exit cli_help(int count, char *const *words)
{
    struct help_settings settings = {.completion = -1};
    struct operand_list operands = {0};
    enum cli_exit exit;
    if (!cli_parse(&cli_help_text, count, words, &settings, &operands, &exit))
        return exit;
    const char *name = operands.len ? operands.data[0] : NULL;
    const struct cli_command *command = name ? cli_find_command(name) : NULL;
    vec_free(&operands);
    if (name && !command)
        return cli_unknown_command(name);
    struct text out = {0};
    if (settings.completion >= 0)
        completion_add(&out, (enum completion_shell)settings.completion);
    else if (!command && settings.man)
        add_overview_man(&out);
    else if (!command)
        add_overview(&out);
    else if (settings.man)
        options_man(&out, command->text, PLUMB_VERSION);
    else
        options_help(&out, command->text, terminal_columns(STDOUT_FILENO));
    output_text(stdout, &out);
    text_free(&out);
    return EXIT_HOLDS;
}

enum cli_exit cli_version(int count, char *const *words)
{
    struct operand_list operands = {0};
    enum cli_exit exit;
    if (!cli_parse(&cli_version_text, count, words, NULL, &operands, &exit))
        return exit;
    printf("plumb %s\n", PLUMB_VERSION);
    return EXIT_HOLDS;
}
