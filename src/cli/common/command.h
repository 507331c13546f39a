/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of `plumb`, and what they have in common. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "base/diagnostic.h"
#include "base/options.h"
#include "base/verdict.h"

#ifndef PLUMB_VERSION
#define PLUMB_VERSION "0.1.0"
#endif

/* Exit codes are an interface: scripts rely on them. */
enum cli_exit {
    EXIT_HOLDS = 0,
    EXIT_VIOLATED = 1,
    EXIT_USAGE = 2, /* of the command line, or of an input */
    EXIT_INCONCLUSIVE = 3,
    EXIT_CANNOT_RUN = 4,
    EXIT_BUG = 70,
};

/* The one that counts when several inputs end differently: 70, 1, 4, 2, 3, 0. */
enum cli_exit cli_worse_exit(enum cli_exit a, enum cli_exit b);

/* When several inputs are one document: the verdict that their exit code stands for. */
enum verdict cli_verdict_of(enum cli_exit exit);

enum cli_exit cli_exit_of(enum verdict verdict);
/* Of an input or a program that could not be judged. */
enum cli_exit cli_exit_of_error(const struct diagnostic *why);

/* Entries of option tables that mean the same in every command. */
#define JSON_OPTION(field)                                                                               \
    {                                                                                                    \
        "json", 0, OPTION_TEXT, "F", field, 0, 0,                                                        \
            "Write the result as JSON to F. '-' is standard output, where nothing else is printed then." \
    }
#define OUT_OPTION(field)                                                                                  \
    {                                                                                                      \
        "out", 0, OPTION_TEXT, "DIR", field, 0, 0,                                                         \
            "The folder for files whose names have none (the current one). It is made if it is not there." \
    }
#define COLOR_OPTION(field)                                                        \
    {                                                                              \
        "color", 0, OPTION_CHOICE, "auto|always|never", field, 0, 0,               \
            "Colour in reports; auto means on a terminal, unless NO_COLOR is set." \
    }
#define QUIET_OPTION(field)                                                                   \
    {                                                                                         \
        "quiet", 'q', OPTION_FLAG, NULL, field, 0, 0, "Print the line with the verdict only." \
    }

#define SANDBOX_OPTION(field)                                                                       \
    {                                                                                               \
        "sandbox", 0, OPTION_FLAG, NULL, field, 0, 0,                                               \
            "The program can write, make and remove no files, open no sockets and signal no other " \
            "processes: "                                                                           \
            "such calls fail (SECURITY.md)."                                                        \
    }

/* Texts; cli_parse tells target/compilers.h. */
#define COMPILER_OPTIONS(cc_field, cxx_field)                                                         \
    {"cc",                                                                                            \
     0,                                                                                               \
     OPTION_TEXT,                                                                                     \
     "CC",                                                                                            \
     cc_field,                                                                                        \
     0,                                                                                               \
     0,                                                                                               \
     "The C compiler (PLUMB_CC, or clang, or cc where there is no clang). --cc gcc also means g++."}, \
    {                                                                                                 \
        "cxx", 0, OPTION_TEXT, "CXX", cxx_field, 0, 0,                                                \
            "The C++ compiler (that which belongs to --cc; PLUMB_CXX, clang++ or c++)."               \
    }

/* Members of a struct option_command. */
#define COMMAND_TABLES(option_table, section_table)                                           \
    .options = (option_table), .option_count = sizeof(option_table) / sizeof *(option_table), \
    .sections = (section_table), .section_count = sizeof(section_table) / sizeof *(section_table)

struct cli_command {
    const struct option_command *text;
    enum cli_exit (*run)(int count, char *const *words); /* the words after the command's name */
};

extern const struct cli_command cli_commands[];
extern const size_t cli_command_count;

const struct cli_command *cli_find_command(const char *name);

/* Says that there is no such command, and which ones there are. */
enum cli_exit cli_unknown_command(const char *name);

enum cli_exit cli_monitor(int count, char *const *words);
enum cli_exit cli_auto(int count, char *const *words);
enum cli_exit cli_orders(int count, char *const *words);
enum cli_exit cli_stress(int count, char *const *words);
enum cli_exit cli_check(int count, char *const *words);
enum cli_exit cli_refine(int count, char *const *words);
enum cli_exit cli_prove(int count, char *const *words);
enum cli_exit cli_merge(int count, char *const *words);
enum cli_exit cli_replay(int count, char *const *words);
enum cli_exit cli_convert(int count, char *const *words);
enum cli_exit cli_generate(int count, char *const *words);
enum cli_exit cli_specs(int count, char *const *words);
enum cli_exit cli_help(int count, char *const *words);
enum cli_exit cli_version(int count, char *const *words);
enum cli_exit cli_annotate(int count, char *const *words); /* for plumb-cc; in no list */

extern const struct option_command cli_monitor_text, cli_orders_text, cli_stress_text, cli_auto_text,
    cli_check_text, cli_refine_text, cli_prove_text, cli_merge_text, cli_replay_text, cli_convert_text,
    cli_generate_text, cli_specs_text, cli_help_text, cli_version_text;

/* Parses a command's words. False: the command ends with *exit (help was printed, or an error). */
bool cli_parse(const struct option_command *text, int count, char *const *words, void *settings,
               struct operand_list *operands, enum cli_exit *exit);

/* The whole program. */
enum cli_exit cli_main(int count, char *const *words);

#endif
