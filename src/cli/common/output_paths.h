/* SPDX-License-Identifier: Apache-2.0 */
/* Files that a command is asked to write, found by the names of its options. */
#ifndef CLI_OUTPUT_PATHS_H
#define CLI_OUTPUT_PATHS_H

#include "cli/common/command.h"

/* What was given as --NAME; null: nothing was, or the command has no such option. */
const char *output_path(const struct option_command *text, const void *settings, const char *name);

/* Is the word of a command line an option that names such a file, with or without "=FILE"? */
bool output_is_option(const struct option_command *text, const char *word);

/* --out: makes the folder, and puts those into it whose names have none. False: after a diagnostic. */
bool output_paths_place(const struct option_command *text, void *settings);

/* Would writing them lose an input, or one of them another? False: after a diagnostic. */
bool output_paths_fit(const struct option_command *text, const void *settings,
                      const struct operand_list *operands);

#endif
